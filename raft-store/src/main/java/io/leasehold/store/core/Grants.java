package io.leasehold.store.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a hold begins and ends, and who is told. Confined to one entry: works on a {@link Draft} and
 * collects the news of the session whose batch it is.
 *
 * <p>A lease ends in one of five ways (released, expired, taken over, revoked, its session ended),
 * and whichever it is, the same command hands it to the first waiter that still lives ({@link
 * #end}).
 */
final class Grants {

  private final Draft draft;
  private final Limits limits;
  private final Optional<SessionId> origin;
  private final List<Event> originNews;

  Grants(Draft draft, Limits limits, Optional<SessionId> origin, List<Event> originNews) {
    this.draft = draft;
    this.limits = limits;
    this.origin = origin;
    this.originNews = originNews;
  }

  /** Grants a free lease; the asker's own command says so. */
  long grantFree(String name, Waiter asker) {
    draft.state(draft.state().withLeasesChangedBy(1));
    return grant(name, asker, List.of(), true);
  }

  /**
   * Ends a hold and hands the lease to the first waiter that lives; the lease is free if there is
   * none.
   */
  void end(HeldLease lease, Event how, boolean byOwnCommand) {
    forget(lease);
    emit(how, byOwnCommand);

    List<Waiter> queue = new ArrayList<>(lease.queue());
    while (!queue.isEmpty()) {
      Waiter next = queue.remove(0);
      if (isLiving(next)) {
        grant(lease.name(), next, queue, false);
        return;
      }
      skip(next, lease.name());
    }
    draft.removeLease(lease.name());
    draft.state(draft.state().withLeasesChangedBy(-1));
  }

  /** Passes a hold on to its owner's newer self, past the queue, which goes on waiting. */
  void takeOver(HeldLease lease, Waiter asker) {
    forget(lease);
    emit(new Event.TakenOver(lease.name(), lease.holder(), lease.token(), asker.holder()), false);
    List<Waiter> queue = new ArrayList<>(lease.queue());
    lease
        .placeOf(asker.holder())
        .ifPresent(
            place -> {
              queue.remove(place);
              withdraw(place, lease.name());
            });
    grant(lease.name(), asker, queue, true);
  }

  /** Lets no renewal count for a hold any more; it lasts until its expiry as it is now. */
  void revoke(HeldLease lease, Event.Revoked event) {
    long expiryNanos = lease.expiryNanos(renewedNanos(lease));
    draft.put(lease.revokedUntil(expiryNanos));
    draft.putRevoked(lease.claim(), expiryNanos);
    mixIntoDigest(lease.holder().session(), lease.token());
    emit(event, false);
  }

  private long grant(String name, Waiter to, List<Waiter> queue, boolean byOwnCommand) {
    draft.state(draft.state().withNextToken());
    long token = draft.state().lastToken();
    HeldLease lease =
        new HeldLease(
            name,
            to.holder(),
            token,
            to.ttlNanos(),
            to.acquisitionId(),
            OptionalLong.empty(),
            queue);
    draft.put(lease);
    draft.putClaim(lease.claim());
    mixIntoDigest(to.holder().session(), token);
    emit(
        new Event.Granted(name, to.holder(), token, to.ttlNanos(), to.acquisitionId()),
        byOwnCommand);
    return token;
  }

  private void forget(HeldLease lease) {
    draft.removeClaim(lease.claim());
    if (lease.isRevoked()) {
      draft.removeRevoked(lease.claim());
    } else {
      mixIntoDigest(lease.holder().session(), lease.token());
    }
  }

  /** Adds a token to its session's digest, or takes it out again: the two are one operation. */
  private void mixIntoDigest(SessionId id, long token) {
    Session session = sessionOfClaim(id);
    draft.put(session.withDigest(Session.digestWith(session.heldDigest(), token)));
  }

  /** Ends the claim of a waiter that leaves a queue. */
  void withdraw(Waiter waiter, String name) {
    draft.removeClaim(waiter.claimOn(name));
  }

  /** As {@link #withdraw}, for a waiter that is told of it. */
  void skip(Waiter waiter, String name) {
    withdraw(waiter, name);
    emit(new Event.Skipped(name, waiter.holder(), waiter.acquisitionId()), false);
  }

  /**
   * A waiter that could not be renewed for its ttl must not be granted anything: it may be gone.
   */
  boolean isLiving(Waiter waiter) {
    return sessionOfClaim(waiter.holder().session())
        .outlives(waiter.ttlNanos(), draft.leaseTimeNanos());
  }

  boolean isDue(HeldLease lease) {
    return draft.leaseTimeNanos() >= lease.expiryNanos(renewedNanos(lease));
  }

  private long renewedNanos(HeldLease lease) {
    return sessionOfClaim(lease.holder().session()).renewedNanos();
  }

  /** A session is not removed before its last claim, so that of a holder or waiter is there. */
  Session sessionOfClaim(SessionId id) {
    return draft.session(id).orElseThrow();
  }

  /** Tells watchers, and the session concerned unless its own command's reply says so already. */
  private void emit(Event event, boolean byOwnCommand) {
    draft.add(event);
    SessionId concerned = event.holder().session();
    if (origin.filter(concerned::equals).isEmpty()) {
      keepNews(concerned, event);
    } else if (!byOwnCommand) {
      originNews.add(event);
    }
  }

  private void keepNews(SessionId id, Event event) {
    Session session = sessionOfClaim(id);
    if (session.newsLost()) {
      return;
    }
    List<Event> pending = new ArrayList<>(draft.news(id));
    if (pending.size() >= limits.newsPerSession()) {
      draft.put(session.withNewsLost(true));
      draft.putNews(id, List.of());
    } else {
      pending.add(event);
      draft.putNews(id, pending);
    }
  }
}
