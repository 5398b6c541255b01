package io.leasehold.store.rocks;

import io.leasehold.store.codec.ReplyCodec;
import io.leasehold.store.codec.RowCodec;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Change;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.StoreState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * What the entries applied last have changed and the database does not have yet. A row that changes
 * again meanwhile is written once, and one that comes and goes meanwhile, as that of a lease that
 * is held for a moment, not at all: most of the work of a busy table.
 *
 * <p>Nothing is risked by it: the database keeps what it is given in memory, too, until it is
 * flushed, and what a crash takes comes back from the log. Not safe for threads.
 */
final class Unwritten {

  private static final RowCodec ROWS = new RowCodec();
  private static final ReplyCodec REPLIES = new ReplyCodec();

  private final Map<String, Row<HeldLease>> leases = new HashMap<>();
  private final Map<Claim, Row<Boolean>> claims = new HashMap<>();
  private final Map<Claim, Row<Long>> revoked = new HashMap<>();
  private final Map<SessionId, Row<Session>> sessions = new HashMap<>();
  private final Map<SessionId, Row<List<Event>>> news = new HashMap<>();
  private final Map<SessionId, Row<BatchReply>> lastReplies = new HashMap<>();
  private @Nullable StoreState state;
  private int weight;

  /**
   * A row as it is to be.
   *
   * @param value null for none
   * @param mayBeWritten whether the database may have one of the same key
   * @param weight what it holds, roughly, in rows of the usual size
   */
  private record Row<T>(@Nullable T value, boolean mayBeWritten, int weight) {}

  private interface Key<K> {
    byte[] of(K key);
  }

  private interface Encoding<V> {
    byte[] encode(V value);
  }

  /** What there is, in rows of the usual size. */
  int weight() {
    return weight;
  }

  /** Returns a lease as it has become; has it read if it is not here. */
  Optional<HeldLease> lease(String name, Function<String, Optional<HeldLease>> reading) {
    return latest(leases, name, reading);
  }

  Optional<Session> session(SessionId id, Function<SessionId, Optional<Session>> reading) {
    return latest(sessions, id, reading);
  }

  Optional<List<Event>> news(SessionId id, Function<SessionId, Optional<List<Event>>> reading) {
    return latest(news, id, reading);
  }

  Optional<BatchReply> lastReply(SessionId id, Function<SessionId, Optional<BatchReply>> reading) {
    return latest(lastReplies, id, reading);
  }

  private static <K, V> Optional<V> latest(
      Map<K, Row<V>> rows, K key, Function<K, Optional<V>> reading) {
    Row<V> row = rows.get(key);
    return row == null ? reading.apply(key) : Optional.ofNullable(row.value());
  }

  /**
   * Takes all changes of an entry.
   *
   * @param isKnownFree whether, before this entry, the table certainly had no lease of a name, and
   *     so no claim on it either
   */
  void add(List<Change> changes, Predicate<String> isKnownFree) {
    for (Change change : changes) {
      add(change, isKnownFree);
    }
  }

  private void add(Change change, Predicate<String> isKnownFree) {
    if (change instanceof Change.PutState put) {
      state = put.state();
    } else if (change instanceof Change.PutLease put) {
      HeldLease lease = put.lease();
      put(leases, lease.name(), lease, !isKnownFree.test(lease.name()), lease.queue().size());
    } else if (change instanceof Change.RemoveLease remove) {
      remove(leases, remove.name(), !isKnownFree.test(remove.name()));
    } else if (change instanceof Change.PutClaim put) {
      put(claims, put.claim(), true, !isKnownFree.test(put.claim().name()), 0);
    } else if (change instanceof Change.RemoveClaim remove) {
      remove(claims, remove.claim(), !isKnownFree.test(remove.claim().name()));
    } else if (change instanceof Change.PutRevoked put) {
      put(revoked, put.claim(), put.expiryNanos(), true, 0);
    } else if (change instanceof Change.RemoveRevoked remove) {
      remove(revoked, remove.claim(), true);
    } else if (change instanceof Change.PutNews put) {
      if (put.news().isEmpty()) {
        remove(news, put.id(), true);
      } else {
        put(news, put.id(), put.news(), true, put.news().size());
      }
    } else if (change instanceof Change.PutSession put) {
      put(sessions, put.session().id(), put.session(), true, 0);
    } else if (change instanceof Change.RemoveSession remove) {
      remove(sessions, remove.id(), true);
      remove(news, remove.id(), true);
      remove(lastReplies, remove.id(), true);
    } else if (change instanceof Change.PutLastReply put) {
      BatchReply reply = put.reply();
      put(lastReplies, put.id(), reply, true, reply.replies().size() + reply.news().size());
    } else {
      throw new IllegalStateException("no row is defined for " + change);
    }
  }

  private <K, V> void put(Map<K, Row<V>> rows, K key, V value, boolean mayBeWritten, int extra) {
    Row<V> before = rows.get(key);
    boolean written = before == null ? mayBeWritten : before.mayBeWritten();
    replace(rows, key, before, new Row<>(value, written, 1 + extra));
  }

  private <K, V> void remove(Map<K, Row<V>> rows, K key, boolean mayBeWritten) {
    Row<V> before = rows.get(key);
    boolean written = before == null ? mayBeWritten : before.mayBeWritten();
    replace(rows, key, before, written ? new Row<>(null, true, 1) : null);
  }

  private <K, V> void replace(
      Map<K, Row<V>> rows, K key, @Nullable Row<V> before, @Nullable Row<V> after) {
    if (before != null) {
      weight -= before.weight();
    }
    if (after == null) {
      rows.remove(key);
    } else {
      weight += after.weight();
      rows.put(key, after);
    }
  }

  /** Puts all of it into a batch. */
  void fill(WriteBatch batch) throws RocksDBException {
    if (state != null) {
      batch.put(KeyLayout.STATE, ROWS.encode(state));
    }
    write(batch, leases, KeyLayout::lease, ROWS::encode);
    write(batch, claims, KeyLayout::claim, present -> new byte[0]);
    write(batch, revoked, KeyLayout::revoked, ROWS::encodeRevoked);
    write(batch, news, KeyLayout::news, ROWS::encodeNews);
    write(batch, sessions, KeyLayout::session, ROWS::encode);
    write(batch, lastReplies, KeyLayout::lastReply, REPLIES::encode);
  }

  private static <K, V> void write(
      WriteBatch batch, Map<K, Row<V>> rows, Key<K> key, Encoding<V> encoding)
      throws RocksDBException {
    for (Map.Entry<K, Row<V>> entry : rows.entrySet()) {
      V value = entry.getValue().value();
      if (value == null) {
        batch.delete(key.of(entry.getKey()));
      } else {
        batch.put(key.of(entry.getKey()), encoding.encode(value));
      }
    }
  }

  /** Forgets all of it: the database has it. */
  void clear() {
    state = null;
    leases.clear();
    claims.clear();
    revoked.clear();
    news.clear();
    sessions.clear();
    lastReplies.clear();
    weight = 0;
  }
}
