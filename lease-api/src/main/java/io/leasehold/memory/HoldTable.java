package io.leasehold.memory;

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
 * run. Confined to the shared store's lock.
 */
final class HoldTable {

  private final Map<Key, Entry> entries = new HashMap<>();
  private final ReferenceQueue<Hold> collected = new ReferenceQueue<>();
  private final Set<Hold> inUse = new LinkedHashSet<>();

  Hold findOrAdd(String name, String owner, Supplier<Hold> creator) {
    forgetCollected();
    return find(name, owner)
        .orElseGet(
            () -> {
              Hold hold = creator.get();
              Key key = new Key(name, owner);
              entries.put(key, new Entry(key, hold, collected));
              return hold;
            });
  }

  Optional<Hold> find(String name, String owner) {
    return Optional.ofNullable(entries.get(new Key(name, owner))).map(Reference::get);
  }

  /** Keeps a hold while it is held, being acquired, or has handlers. */
  void setInUse(Hold hold, boolean used) {
    if (used) {
      inUse.add(hold);
    } else {
      inUse.remove(hold);
    }
  }

  /** Returns the holds in use, in the order in which they came into use. */
  List<Hold> inUse() {
    return List.copyOf(inUse);
  }

  private void forgetCollected() {
    for (Reference<? extends Hold> gone = collected.poll(); gone != null; gone = collected.poll()) {
      Entry entry = (Entry) gone;
      entries.remove(entry.key, entry);
    }
  }

  private record Key(String name, String owner) {}

  private static final class Entry extends WeakReference<@Nullable Hold> {

    private final Key key;

    Entry(Key key, Hold hold, ReferenceQueue<Hold> collected) {
      super(hold, collected);
      this.key = key;
    }
  }
}
