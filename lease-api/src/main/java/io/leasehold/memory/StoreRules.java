package io.leasehold.memory;

import io.leasehold.time.Ticker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Who has which lease, and who gets it next: what a replicated store decides, decided in memory. A
 * lease ends by release, expiry, takeover or revocation, and the same step hands it to the first
 * waiter that still lives ({@link #end}). Confined to the shared store's lock.
 */
final class StoreRules {

  /** Most waiters in a lease's queue, as in the replicated store. */
  static final int WAITERS_MAX = 1_000;

  private final Ticker ticker;
  private final Consumer<StoreEvent> told;
  private final NavigableMap<String, StoredLease> leases = new TreeMap<>();
  private long lastToken;
  private long lastOrdinal;

  /** When something may be due next; never later than it really is. */
  private OptionalLong dueNanos = OptionalLong.empty();

  /**
   * @param told hears each event, in order; must not call back
   */
  StoreRules(Ticker ticker, long tokenBase, Consumer<StoreEvent> told) {
    this.ticker = ticker;
    this.lastToken = tokenBase;
    this.told = told;
  }

  Session open(Node node) {
    return new Session(node, ++lastOrdinal, ticker.nanos());
  }

  Collection<StoredLease> all() {
    return List.copyOf(leases.values());
  }

  Optional<StoredLease> find(String name) {
    return Optional.ofNullable(leases.get(name));
  }

  /**
   * Grants a lease that is free, has run out, is the asker's own or may be reclaimed; queues or
   * refuses otherwise.
   */
  StoreReply acquire(String name, Claim asker, boolean queued, boolean reclaim) {
    makeWay(name, asker, reclaim);
    StoredLease lease = leases.get(name);
    if (lease == null) {
      return new StoreReply.Granted(grant(name, asker, List.of()));
    }
    if (lease.claim().equals(asker)) {
      return new StoreReply.Granted(lease.token());
    }
    return queued ? queue(lease, asker) : new StoreReply.HeldByOther();
  }

  private void makeWay(String name, Claim asker, boolean reclaim) {
    StoredLease lease = leases.get(name);
    if (lease == null) {
      return;
    }
    if (lease.claim().isOfSameHolderAs(asker)) {
      // The asker does not believe in its hold any more, or it would have confirmed it; a new
      // belief needs a new token.
      end(lease, event(StoreEvent.Kind.RELEASED, lease, "acquired again by its holder"));
    } else if (reclaim && isOlderSelf(lease.claim(), asker)) {
      reclaim(lease, asker);
    }
  }

  private static boolean isOlderSelf(Claim holder, Claim asker) {
    return holder.owner().equals(asker.owner()) && holder.session().isOlderThan(asker.session());
  }

  /** A reclaim passes the queue by: its waiters go on waiting for the same owner. */
  private void reclaim(StoredLease lease, Claim asker) {
    told.accept(
        event(
            StoreEvent.Kind.TAKEN_OVER,
            lease,
            "the same owner reclaimed it on node " + asker.session().node().name()));
    grant(lease.name(), asker, lease.queueWithout(asker));
  }

  private StoreReply queue(StoredLease lease, Claim asker) {
    List<Claim> queue = lease.queueWithout(asker);
    if (queue.size() >= WAITERS_MAX) {
      return new StoreReply.Refused("the lease has its limit of " + WAITERS_MAX + " waiters");
    }
    queue.add(asker);
    leases.put(lease.name(), lease.withQueue(queue));
    dueBy(asker.expiryNanos());
    return new StoreReply.Queued();
  }

  boolean confirm(String name, Session session, long token) {
    return find(name)
        .filter(lease -> lease.isHeldBy(session, token))
        .filter(lease -> lease.revokedUntilNanos().isEmpty())
        .isPresent();
  }

  /** Frees a hold; without effect on any other hold. */
  void release(String name, Session session, long token) {
    find(name)
        .filter(lease -> lease.isHeldBy(session, token))
        .ifPresent(lease -> end(lease, event(StoreEvent.Kind.RELEASED, lease, "released")));
  }

  /** Undoes one acquire, wherever it has got to. */
  void leave(String name, Session session, long acquisitionId) {
    StoredLease lease = leases.get(name);
    if (lease == null) {
      return;
    }
    if (lease.claim().is(session, acquisitionId)) {
      end(lease, event(StoreEvent.Kind.RELEASED, lease, "given back"));
      return;
    }
    List<Claim> queue = new ArrayList<>(lease.queue());
    queue.removeIf(waiter -> waiter.is(session, acquisitionId));
    leases.put(name, lease.withQueue(queue));
  }

  /**
   * Ends a hold on an operator's behalf.
   *
   * @return whether that hold was there
   */
  boolean revoke(String name, long token, String reason, boolean unsafe) {
    StoredLease lease = leases.get(name);
    if (lease == null || lease.token() != token) {
      return false;
    }
    StoreEvent event = event(StoreEvent.Kind.REVOKED, lease, "an operator revoked it: " + reason);
    if (unsafe) {
      end(lease, event);
    } else if (lease.revokedUntilNanos().isEmpty()) {
      leases.put(name, lease.revokedUntil(lease.expiryNanos()));
      told.accept(event);
    }
    return true;
  }

  /** Frees all that a session holds and gives up its places in queues. */
  void close(Session session) {
    // Places first, so that nothing is handed to the session that is ending.
    for (StoredLease lease : all()) {
      List<Claim> queue = new ArrayList<>(lease.queue());
      if (queue.removeIf(waiter -> waiter.session() == session)) {
        leases.put(lease.name(), lease.withQueue(queue));
      }
    }
    for (StoredLease lease : all()) {
      if (lease.claim().session() == session) {
        end(lease, event(StoreEvent.Kind.RELEASED, lease, "its node was closed"));
      }
    }
  }

  /** Ends the holds and waits whose sessions were not renewed in time. */
  void expireDue() {
    long nowNanos = ticker.nanos();
    if (dueNanos.isEmpty() || nowNanos - dueNanos.getAsLong() < 0) {
      return;
    }
    dueNanos = OptionalLong.empty();
    for (StoredLease lease : all()) {
      expireWaiters(lease, nowNanos);
    }
    for (StoredLease lease : all()) {
      if (lease.isDueAt(nowNanos)) {
        end(lease, event(StoreEvent.Kind.EXPIRED, lease, "not renewed for its time to live"));
      }
    }
    for (StoredLease lease : leases.values()) {
      dueBy(lease.expiryNanos());
      lease.queue().forEach(waiter -> dueBy(waiter.expiryNanos()));
    }
  }

  /** When {@link #expireDue()} should be called next. */
  OptionalLong dueNanos() {
    return dueNanos;
  }

  private void expireWaiters(StoredLease lease, long nowNanos) {
    List<Claim> living = new ArrayList<>();
    for (Claim waiter : lease.queue()) {
      if (waiter.livesAt(nowNanos)) {
        living.add(waiter);
      } else {
        skip(lease.name(), waiter);
      }
    }
    leases.put(lease.name(), lease.withQueue(living));
  }

  private void skip(String name, Claim waiter) {
    told.accept(
        new StoreEvent(
            StoreEvent.Kind.SKIPPED, name, waiter, 0, "not renewed for its time to live"));
  }

  /** Ends a hold and hands the lease to the first waiter that lives; frees it if there is none. */
  private void end(StoredLease lease, StoreEvent how) {
    told.accept(how);
    List<Claim> queue = new ArrayList<>(lease.queue());
    while (!queue.isEmpty()) {
      Claim next = queue.remove(0);
      if (next.livesAt(ticker.nanos())) {
        grant(lease.name(), next, queue);
        return;
      }
      skip(lease.name(), next);
    }
    leases.remove(lease.name());
  }

  private long grant(String name, Claim to, List<Claim> queue) {
    StoredLease lease = new StoredLease(name, to, ++lastToken, OptionalLong.empty(), queue);
    leases.put(name, lease);
    dueBy(lease.expiryNanos());
    told.accept(event(StoreEvent.Kind.GRANTED, lease, "granted"));
    return lease.token();
  }

  private void dueBy(long nanos) {
    if (dueNanos.isEmpty() || nanos - dueNanos.getAsLong() < 0) {
      dueNanos = OptionalLong.of(nanos);
    }
  }

  private static StoreEvent event(StoreEvent.Kind kind, StoredLease lease, String message) {
    return new StoreEvent(kind, lease.name(), lease.claim(), lease.token(), message);
  }
}
