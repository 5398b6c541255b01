package io.leasehold.raft;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the one claimant for each name and owner. A claimant that nobody uses any more is
 * forgotten, so that memory follows what is in use and not what ever was: handles, holds, attempts
 * and registered handlers keep theirs. Safe for many threads.
 */
final class Claimants {

  private final BiFunction<String, String, Claimant> create;
  private final ConcurrentHashMap<Key, Entry> entries = new ConcurrentHashMap<>();
  private final ReferenceQueue<Claimant> forgotten = new ReferenceQueue<>();
  private final Set<Claimant> kept = ConcurrentHashMap.newKeySet();

  Claimants(BiFunction<String, String, Claimant> create) {
    this.create = create;
  }

  Claimant get(String name, String owner) {
    removeForgotten();
    Key key = new Key(name, owner);
    while (true) {
      Claimant present = find(key);
      if (present != null) {
        return present;
      }
      Claimant created = create.apply(name, owner);
      Entry entry = new Entry(key, created, forgotten);
      Entry raced = entries.putIfAbsent(key, entry);
      if (raced == null) {
        return created;
      }
      if (raced.get() == null) {
        entries.remove(key, raced);
      }
    }
  }

  /** Returns the claimant if anybody uses it. */
  @Nullable Claimant find(String name, String owner) {
    return find(new Key(name, owner));
  }

  private @Nullable Claimant find(Key key) {
    Entry entry = entries.get(key);
    return entry == null ? null : entry.get();
  }

  /** Keeps one that has handlers, although its user may have dropped the handle. */
  void keep(Claimant claimant) {
    kept.add(claimant);
  }

  void letGo(Claimant claimant) {
    kept.remove(claimant);
  }

  void forEach(Consumer<Claimant> action) {
    for (Entry entry : entries.values()) {
      Claimant claimant = entry.get();
      if (claimant != null) {
        action.accept(claimant);
      }
    }
  }

  private void removeForgotten() {
    for (Reference<?> reference = forgotten.poll();
        reference != null;
        reference = forgotten.poll()) {
      Entry entry = (Entry) reference;
      entries.remove(entry.key, entry);
    }
  }

  private record Key(String name, String owner) {}

  private static final class Entry extends WeakReference<Claimant> {
    final Key key;

    Entry(Key key, Claimant claimant, ReferenceQueue<Claimant> queue) {
      super(claimant, queue);
      this.key = key;
    }
  }
}
