package io.leasehold.store.rocks;

import io.leasehold.store.core.Change;
import io.leasehold.store.core.HeldLease;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The leases that were read or written last, as the table has them, also that there is none of a
 * name: what is acquired now was often released a moment ago, and the other way round. A few
 * thousand at most, so that the heap does not grow with the table. Confined to the thread that
 * applies.
 */
final class RecentLeases {

  static final int LEASES_MAX = 4_096;

  /** A lease with a longer queue is large, and read less often than it is written. */
  static final int WAITERS_MAX = 16;

  private final Map<String, Optional<HeldLease>> leases =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Optional<HeldLease>> eldest) {
          return size() > LEASES_MAX;
        }
      };

  /** Returns a lease; has it read if it is not among these. */
  Optional<HeldLease> lease(String name, Function<String, Optional<HeldLease>> reading) {
    Optional<HeldLease> known = leases.get(name);
    if (known == null) {
      known = reading.apply(name);
      keep(name, known);
    }
    return known;
  }

  /** Whether it is known, without reading, that the table has no lease of a name. */
  boolean isKnownFree(String name) {
    Optional<HeldLease> known = leases.get(name);
    return known != null && known.isEmpty();
  }

  /** Sees to it that these are what the table has now. */
  void written(List<Change> changes) {
    for (Change change : changes) {
      if (change instanceof Change.PutLease put) {
        keep(put.lease().name(), Optional.of(put.lease()));
      } else if (change instanceof Change.RemoveLease remove) {
        keep(remove.name(), Optional.empty());
      }
    }
  }

  private void keep(String name, Optional<HeldLease> lease) {
    if (lease.isPresent() && lease.get().queue().size() > WAITERS_MAX) {
      leases.remove(name);
    } else {
      leases.put(name, lease);
    }
  }

  int size() {
    return leases.size();
  }
}
