package io.leasehold.raft.simulation;

import io.leasehold.store.core.Event;
import io.leasehold.store.core.Holder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Who had which lease when, in real time, as the log decides it. */
final class Tenures {

  private final World world;
  private final Map<String, List<Tenure>> byLease = new TreeMap<>();

  Tenures(World world) {
    this.world = world;
  }

  /** One grant, from the instant it was committed until the one its end was. */
  static final class Tenure {
    final Holder holder;
    final long token;
    final long fromNanos;
    long toNanos = Long.MAX_VALUE;

    private Tenure(Holder holder, long token, long fromNanos) {
      this.holder = holder;
      this.token = token;
      this.fromNanos = fromNanos;
    }

    boolean lasts() {
      return toNanos == Long.MAX_VALUE;
    }

    private boolean wasSince(long nanos) {
      return toNanos >= nanos;
    }
  }

  void happened(Event event) {
    if (event instanceof Event.Granted granted) {
      byLease
          .computeIfAbsent(granted.name(), name -> new ArrayList<>())
          .add(new Tenure(granted.holder(), granted.token(), world.nanos()));
    } else if (event instanceof Event.Released released) {
      end(released.name(), released.token());
    } else if (event instanceof Event.Expired expired) {
      end(expired.name(), expired.token());
    } else if (event instanceof Event.TakenOver takenOver) {
      end(takenOver.name(), takenOver.token());
    } else if (event instanceof Event.Revoked revoked && revoked.freed()) {
      end(revoked.name(), revoked.token());
    }
  }

  private void end(String name, long token) {
    Optional<Tenure> current = current(name);
    if (current.isEmpty() || current.get().token != token) {
      throw new Violation(
          Violation.Rule.EXCLUSION, "token %d of %s ended twice".formatted(token, name));
    }
    current.get().toNanos = world.nanos();
  }

  /** Returns who has a lease now. */
  Optional<Tenure> current(String name) {
    List<Tenure> tenures = byLease.get(name);
    if (tenures == null || !tenures.get(tenures.size() - 1).lasts()) {
      return Optional.empty();
    }
    return Optional.of(tenures.get(tenures.size() - 1));
  }

  /** Whether some grant of this kind was in force at some instant since then. */
  boolean anySince(String name, long nanos, Predicate<Tenure> kind) {
    List<Tenure> tenures = byLease.getOrDefault(name, List.of());
    for (int i = tenures.size() - 1; i >= 0 && tenures.get(i).wasSince(nanos); i--) {
      if (kind.test(tenures.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a lease was free at some instant since then. */
  boolean freeSince(String name, long nanos) {
    List<Tenure> tenures = byLease.getOrDefault(name, List.of());
    long heldFrom = world.nanos();
    if (current(name).isEmpty()) {
      return true;
    }
    for (int i = tenures.size() - 1; i >= 0; i--) {
      Tenure tenure = tenures.get(i);
      if (tenure.lasts() || tenure.toNanos >= heldFrom) {
        heldFrom = tenure.fromNanos;
      } else {
        break;
      }
      if (heldFrom < nanos) {
        return false;
      }
    }
    return true;
  }

  /** Returns how many grants there were. */
  long count() {
    return byLease.values().stream().mapToLong(List::size).sum();
  }

  List<String> leases() {
    return List.copyOf(byLease.keySet());
  }
}
