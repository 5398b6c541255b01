package io.leasehold.store.ratis;

import io.leasehold.store.core.Change;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * When something of the table falls due: for each session a lease time before which nothing of it
 * can, kept up from the changes of each entry. Not safe for many threads: its owner guards it.
 *
 * <p>It keeps a few numbers for each session and nothing for each lease. So its times are early,
 * never late: a claim that has ended may have been the one that was due first. Whoever finds a
 * session {@link #dueBy due} reads its claims from the table, and tells with {@link #observe} what
 * is due first; renewals only move numbers. A node that holds a million leases and renews costs one
 * look for each of its times to live.
 */
final class ExpiryIndex {

  private static final long NO_CLAIM = Long.MAX_VALUE;

  private final Map<SessionId, Row> rows = new HashMap<>();
  private final PriorityQueue<Row> queue = new PriorityQueue<>();
  private final Map<Claim, Long> revoked = new HashMap<>();
  private final TreeMap<Long, List<Claim>> revokedByExpiry = new TreeMap<>();

  /** One session; its place in the queue may be earlier than what its numbers say now. */
  private static final class Row implements Comparable<Row> {
    final SessionId id;
    long renewedNanos;
    long sessionTtlNanos;

    /** No claim has a smaller ttl. */
    long ttlNanosMin = NO_CLAIM;

    /** Counts the claims that have come. */
    long version;

    long queuedNanos;
    boolean queued;

    Row(SessionId id) {
      this.id = id;
    }

    long dueNanos() {
      return renewedNanos + (ttlNanosMin == NO_CLAIM ? sessionTtlNanos : ttlNanosMin);
    }

    @Override
    public int compareTo(Row other) {
      return Long.compare(queuedNanos, other.queuedNanos);
    }
  }

  void clear() {
    rows.clear();
    queue.clear();
    revoked.clear();
    revokedByExpiry.clear();
  }

  /** Takes in what an entry has changed. */
  void apply(List<Change> changes) {
    for (Change change : changes) {
      if (change instanceof Change.PutSession put) {
        put(put.session());
      } else if (change instanceof Change.PutClaim put) {
        put(put.claim());
      } else if (change instanceof Change.RemoveSession remove) {
        remove(remove.id());
      } else if (change instanceof Change.PutRevoked put) {
        putRevoked(put.claim(), put.expiryNanos());
      } else if (change instanceof Change.RemoveRevoked remove) {
        removeRevoked(remove.claim());
      }
    }
  }

  void put(Session session) {
    Row row = rows.computeIfAbsent(session.id(), Row::new);
    row.renewedNanos = session.renewedNanos();
    row.sessionTtlNanos = session.ttlNanos();
    enqueueEarlier(row);
  }

  void put(Claim claim) {
    Row row = rows.computeIfAbsent(claim.session(), Row::new);
    row.ttlNanosMin = Math.min(row.ttlNanosMin, claim.ttlNanos());
    row.version++;
    enqueueEarlier(row);
  }

  void putRevoked(Claim claim, long expiryNanos) {
    removeRevoked(claim);
    revoked.put(claim, expiryNanos);
    revokedByExpiry.computeIfAbsent(expiryNanos, unused -> new ArrayList<>(1)).add(claim);
  }

  private void removeRevoked(Claim claim) {
    Long expiryNanos = revoked.remove(claim);
    if (expiryNanos != null) {
      revokedByExpiry.computeIfPresent(
          expiryNanos,
          (unused, claims) -> {
            claims.remove(claim);
            return claims.isEmpty() ? null : claims;
          });
    }
  }

  private void remove(SessionId id) {
    Row row = rows.remove(id);
    if (row != null && row.queued) {
      queue.remove(row);
    }
  }

  /** Moves a session forward in the queue; backward it moves when its turn comes. */
  private void enqueueEarlier(Row row) {
    if (!row.queued || row.dueNanos() < row.queuedNanos) {
      requeue(row);
    }
  }

  private void requeue(Row row) {
    if (row.queued) {
      queue.remove(row);
    }
    row.queuedNanos = row.dueNanos();
    row.queued = true;
    queue.add(row);
  }

  /** The lease time before which nothing falls due; empty when nothing ever does. */
  OptionalLong nextDueNanos() {
    settle();
    long next = Long.MAX_VALUE;
    if (!queue.isEmpty()) {
      next = queue.element().queuedNanos;
    }
    if (!revokedByExpiry.isEmpty()) {
      next = Math.min(next, revokedByExpiry.firstKey());
    }
    return next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /** Brings the head of the queue to where its renewals have moved it. */
  private void settle() {
    while (!queue.isEmpty() && queue.element().queuedNanos < queue.element().dueNanos()) {
      requeue(queue.element());
    }
  }

  /**
   * A session of which something may be due.
   *
   * @param version how far its claims were known when this was said
   */
  record Suspect(SessionId session, long version) {}

  /** The sessions of which something may be due at a lease time. */
  List<Suspect> dueBy(long leaseTimeNanos) {
    List<Row> due = new ArrayList<>();
    while (true) {
      settle();
      if (queue.isEmpty() || queue.element().queuedNanos > leaseTimeNanos) {
        break;
      }
      Row row = queue.remove();
      row.queued = false;
      due.add(row);
    }
    List<Suspect> suspects = new ArrayList<>(due.size());
    for (Row row : due) {
      suspects.add(new Suspect(row.id, row.version));
      requeue(row);
    }
    return suspects;
  }

  /**
   * What the table says of a suspect's claims; no effect if another claim has come meanwhile.
   *
   * @param ttlNanosMin the smallest ttl among them; empty when it has none
   */
  void observe(Suspect suspect, OptionalLong ttlNanosMin) {
    Row row = rows.get(suspect.session());
    if (row != null && row.version == suspect.version()) {
      row.ttlNanosMin = ttlNanosMin.orElse(NO_CLAIM);
      requeue(row);
    }
  }
}
