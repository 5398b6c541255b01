package io.leasehold.holder;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The holds of a node, one for each name and owner however many handles there are. One that is
 * neither in use nor referred to by a handle is forgotten, so that names cost nothing in the long
 * run. Confined to the lock of its node.
 *
 * @param <H> what a hold is
 */
public final class HoldTable<H extends SharedHold> {

  private final Map<Key, Entry<H>> entries = new HashMap<>();
  private final ReferenceQueue<H> collected = new ReferenceQueue<>();
  private final Set<H> inUse = new LinkedHashSet<>();

  /**
   * Returns a new handle, for the hold of the settings' name and owner.
   *
   * @param refusal why there is none any more, if so
   * @param creator makes the hold if it is not there
   * @throws IllegalStateException if the node refuses
   */
  public Lease newHandle(
      LeaseSettings settings, Optional<LeaseUnavailableException> refusal, Supplier<H> creator) {
    refusal.ifPresent(
        no -> {
          throw new IllegalStateException(no.getMessage());
        });
    return new HoldHandle(settings, findOrAdd(settings.name(), settings.owner(), creator));
  }

  private H findOrAdd(String name, String owner, Supplier<H> creator) {
    forgetCollected();
    return find(name, owner)
        .orElseGet(
            () -> {
              H hold = creator.get();
              Key key = new Key(name, owner);
              entries.put(key, new Entry<>(key, hold, collected));
              return hold;
            });
  }

  /** Returns the hold of a name and owner, if it is there. */
  public Optional<H> find(String name, String owner) {
    return Optional.ofNullable(entries.get(new Key(name, owner))).map(Reference::get);
  }

  /** Keeps a hold while it is held, being acquired, or has handlers. */
  public void setInUse(H hold, boolean used) {
    if (used) {
      inUse.add(hold);
    } else {
      inUse.remove(hold);
    }
  }

  /** Returns the holds in use, in the order in which they came into use. */
  public List<H> inUse() {
    return List.copyOf(inUse);
  }

  private void forgetCollected() {
    for (Reference<? extends H> gone = collected.poll(); gone != null; gone = collected.poll()) {
      Entry<?> entry = (Entry<?>) gone;
      entries.remove(entry.key, entry);
    }
  }

  private record Key(String name, String owner) {}

  private static final class Entry<H> extends WeakReference<@Nullable H> {

    private final Key key;

    Entry(Key key, H hold, ReferenceQueue<H> collected) {
      super(hold, collected);
      this.key = key;
    }
  }
}
