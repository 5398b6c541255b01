package io.leasehold.store.core;

import io.leasehold.LeaseLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What each command does to a lease. Confined to one entry: works on a {@link Draft} and collects
 * the news of the session whose batch it is.
 *
 * <p>A lease ends in one of five ways (released, expired, taken over, revoked, its session ended),
 * and whichever it is, the same command hands it to the first waiter that still lives ({@link
 * #end}).
 */
final class LeaseRules {

  static final long TTL_NANOS_MAX = LeaseLimits.TTL_MAX.toNanos();

  private final Draft draft;
  private final Limits limits;
  private final Optional<SessionId> origin;
  private final List<Event> originNews;

  LeaseRules(Draft draft, Limits limits, Optional<SessionId> origin, List<Event> originNews) {
    this.draft = draft;
    this.limits = limits;
    this.origin = origin;
    this.originNews = originNews;
  }

  Reply acquire(Command.Acquire command, Session session) {
    Optional<String> fault = faultIn(command);
    if (fault.isPresent()) {
      return new Reply.Refused(fault.get());
    }
    Optional<Session> current = draft.session(session.id());
    if (current.isEmpty()) {
      return new Reply.Refused("the session was closed by the same batch");
    }
    Holder holder = new Holder(session.id(), session.node(), command.owner());
    Waiter asker = new Waiter(holder, command.ttlNanos(), command.acquisitionId());

    Optional<HeldLease> lease = makeWay(command, asker, session);
    if (lease.isEmpty()) {
      if (draft.state().leases() >= limits.leases()) {
        return new Reply.Refused("the store holds its limit of " + limits.leases() + " leases");
      }
      draft.state(draft.state().withLeasesChangedBy(1));
      return new Reply.Granted(grant(command.name(), asker, List.of(), true));
    }
    HeldLease held = lease.get();
    if (held.holder().equals(holder)) {
      return held.acquisitionId() == command.acquisitionId()
          ? new Reply.Granted(held.token())
          : new Reply.Refused("a later acquire of the same holder has been granted");
    }
    return command.queued()
        ? queue(held, asker)
        : new Reply.HeldByOther(held.holder(), held.token());
  }

  /**
   * Ends what an acquire may end: a hold of the asker's own, one that has run out, one that it
   * reclaims.
   */
  private Optional<HeldLease> makeWay(Command.Acquire command, Waiter asker, Session session) {
    Optional<HeldLease> found = draft.lease(command.name());
    if (found.isEmpty()) {
      return found;
    }
    HeldLease lease = found.get();
    if (lease.holder().equals(asker.holder())) {
      if (lease.acquisitionId() >= asker.acquisitionId()) {
        return found;
      }
      // The asker does not believe in that hold any more, or it would have confirmed it: a new
      // grant needs a new token
      // (CORRECTNESS 3.4, SAMETOKEN).
      Event.Released released = new Event.Released(lease.name(), lease.holder(), lease.token());
      end(lease, released, false);
    } else if (isDue(lease)) {
      if (firstLivingWaiter(lease).isPresent()) {
        end(lease, new Event.Expired(lease.name(), lease.holder(), lease.token()), false);
      } else {
        end(lease, takenOver(lease, asker), false);
      }
    } else if (command.reclaim() && isOlderSelf(lease, asker, session)) {
      takeOver(lease, asker);
    }
    return draft.lease(command.name());
  }

  private boolean isOlderSelf(HeldLease lease, Waiter asker, Session session) {
    return lease.holder().owner().equals(asker.holder().owner())
        && !lease.isOf(session.id())
        && draft
            .session(lease.holder().session())
            .map(older -> older.ordinal() < session.ordinal())
            .orElse(true);
  }

  /** A reclaim passes the queue by: the waiters go on waiting for the same owner. */
  private void takeOver(HeldLease lease, Waiter asker) {
    forget(lease);
    emit(takenOver(lease, asker), false);
    List<Waiter> queue = new ArrayList<>(lease.queue());
    queue.removeIf(waiter -> withdrawIfOf(waiter, asker.holder(), lease.name()));
    grant(lease.name(), asker, queue, true);
  }

  private static Event takenOver(HeldLease lease, Waiter asker) {
    return new Event.TakenOver(lease.name(), lease.holder(), lease.token(), asker.holder());
  }

  private Reply queue(HeldLease lease, Waiter asker) {
    List<Waiter> queue = new ArrayList<>(lease.queue());
    queue.removeIf(waiter -> withdrawIfOf(waiter, asker.holder(), lease.name()));
    if (queue.size() >= limits.waitersPerLease()) {
      draft.put(lease.withQueue(queue));
      return new Reply.Refused(
          "the lease has its limit of " + limits.waitersPerLease() + " waiters");
    }
    queue.add(asker);
    draft.put(lease.withQueue(queue));
    draft.putClaim(claimOf(asker, lease.name()));
    return new Reply.Queued();
  }

  /**
   * One place in a queue for each holder: an older acquire of the same holder has been given up.
   */
  private boolean withdrawIfOf(Waiter waiter, Holder holder, String name) {
    if (!waiter.holder().equals(holder)) {
      return false;
    }
    draft.removeClaim(claimOf(waiter, name));
    return true;
  }

  Reply confirm(Command.Confirm command, SessionId session) {
    return draft
        .lease(command.name())
        .filter(
            lease -> lease.token() == command.token() && lease.isOf(session) && !lease.isRevoked())
        .<Reply>map(lease -> new Reply.Confirmed())
        .orElseGet(Reply.NotHeld::new);
  }

  Reply release(Command.Release command, SessionId session) {
    Optional<HeldLease> lease =
        draft
            .lease(command.name())
            .filter(held -> held.token() == command.token() && held.isOf(session));
    return lease.isPresent() ? release(lease.get()) : new Reply.NotHeld();
  }

  Reply leave(Command.Leave command, SessionId session) {
    Optional<HeldLease> found = draft.lease(command.name());
    if (found.isEmpty()) {
      return new Reply.NotHeld();
    }
    HeldLease lease = found.get();
    if (lease.isOf(session) && lease.acquisitionId() == command.acquisitionId()) {
      return release(lease);
    }
    List<Waiter> queue = new ArrayList<>(lease.queue());
    boolean left =
        queue.removeIf(
            waiter ->
                waiter.acquisitionId() == command.acquisitionId()
                    && withdrawIfOf(
                        waiter,
                        new Holder(session, waiter.holder().node(), waiter.holder().owner()),
                        lease.name()));
    if (!left) {
      return new Reply.NotHeld();
    }
    draft.put(lease.withQueue(queue));
    return new Reply.Left();
  }

  private Reply release(HeldLease lease) {
    end(lease, new Event.Released(lease.name(), lease.holder(), lease.token()), true);
    return new Reply.Released(lease.token());
  }

  Reply reconcile(SessionId session) {
    List<Reply.Hold> holds = new ArrayList<>();
    for (Claim claim : draft.claims(session)) {
      draft
          .lease(claim.name())
          .filter(lease -> lease.claim().equals(claim) && !lease.isRevoked())
          .ifPresent(lease -> holds.add(new Reply.Hold(lease.name(), lease.token())));
    }
    return new Reply.Held(holds);
  }

  Reply revoke(Command.Revoke command) {
    if (command.reason().length() > Limits.REASON_CHARS_MAX) {
      return new Reply.Refused("a reason has at most " + Limits.REASON_CHARS_MAX + " characters");
    }
    Optional<HeldLease> found =
        draft.lease(command.name()).filter(lease -> lease.token() == command.token());
    if (found.isEmpty()) {
      return new Reply.NotHeld();
    }
    HeldLease lease = found.get();
    Event.Revoked event =
        new Event.Revoked(
            lease.name(), lease.holder(), lease.token(), command.reason(), command.unsafe());
    if (command.unsafe()) {
      end(lease, event, false);
    } else if (!lease.isRevoked()) {
      long expiryNanos = lease.expiryNanos(renewedNanos(lease));
      draft.put(lease.revokedUntil(expiryNanos));
      draft.putRevoked(lease.claim(), expiryNanos);
      removeFromDigest(lease);
      emit(event, false);
    }
    return new Reply.Revoked();
  }

  void expire(Command.Expire command) {
    Optional<HeldLease> found = draft.lease(command.name());
    if (found.isEmpty()) {
      return;
    }
    HeldLease lease = found.get();
    if (lease.isOf(command.session()) && lease.acquisitionId() == command.acquisitionId()) {
      if (isDue(lease)) {
        end(lease, new Event.Expired(lease.name(), lease.holder(), lease.token()), false);
      }
      return;
    }
    List<Waiter> queue = new ArrayList<>(lease.queue());
    boolean skipped =
        queue.removeIf(
            waiter ->
                waiter.holder().session().equals(command.session())
                    && waiter.acquisitionId() == command.acquisitionId()
                    && !isLiving(waiter)
                    && skip(waiter, lease.name()));
    if (skipped) {
      draft.put(lease.withQueue(queue));
    }
  }

  void expireSession(SessionId id) {
    draft
        .session(id)
        .filter(session -> !session.outlives(session.ttlNanos(), draft.leaseTimeNanos()))
        .filter(session -> draft.claims(id).isEmpty())
        .ifPresent(this::endSession);
  }

  Reply closeSession(SessionId id) {
    // Its places in queues go first, so that nothing is handed over to the session that is ending.
    List<Claim> claims = draft.claims(id);
    for (Claim claim : claims) {
      draft
          .lease(claim.name())
          .filter(lease -> !lease.claim().equals(claim))
          .ifPresent(lease -> leave(new Command.Leave(claim.name(), claim.acquisitionId()), id));
    }
    for (Claim claim : claims) {
      draft
          .lease(claim.name())
          .filter(lease -> lease.claim().equals(claim))
          .ifPresent(this::release);
    }
    draft.session(id).ifPresent(this::endSession);
    return new Reply.SessionClosed();
  }

  private void endSession(Session session) {
    draft.removeSession(session.id());
    draft.state(draft.state().withSessionEnded());
    draft.add(new Event.SessionEnded(new Holder(session.id(), session.node(), "")));
  }

  /**
   * Ends a hold and hands the lease to the first waiter that lives; the lease is free if there is
   * none.
   */
  private void end(HeldLease lease, Event how, boolean byOwnCommand) {
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

  private void forget(HeldLease lease) {
    draft.removeClaim(lease.claim());
    if (lease.isRevoked()) {
      draft.removeRevoked(lease.claim());
    } else {
      removeFromDigest(lease);
    }
  }

  private void removeFromDigest(HeldLease lease) {
    mixIntoDigest(lease.holder().session(), lease.token());
  }

  private void mixIntoDigest(SessionId id, long token) {
    draft
        .session(id)
        .ifPresent(
            session ->
                draft.put(session.withDigest(Session.digestWith(session.heldDigest(), token))));
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

  private boolean skip(Waiter waiter, String name) {
    draft.removeClaim(claimOf(waiter, name));
    emit(new Event.Skipped(name, waiter.holder(), waiter.acquisitionId()), false);
    return true;
  }

  private Optional<Waiter> firstLivingWaiter(HeldLease lease) {
    return lease.queue().stream().filter(this::isLiving).findFirst();
  }

  /**
   * A waiter that could not be renewed for its ttl must not be granted anything: it may be gone.
   */
  private boolean isLiving(Waiter waiter) {
    return draft
        .session(waiter.holder().session())
        .map(session -> session.outlives(waiter.ttlNanos(), draft.leaseTimeNanos()))
        .orElse(false);
  }

  private boolean isDue(HeldLease lease) {
    return draft.leaseTimeNanos() >= lease.expiryNanos(renewedNanos(lease));
  }

  /** A session with claims is never removed, so the one of a holder is always there. */
  private long renewedNanos(HeldLease lease) {
    return draft.session(lease.holder().session()).orElseThrow().renewedNanos();
  }

  private static Claim claimOf(Waiter waiter, String name) {
    return new Claim(waiter.holder().session(), waiter.ttlNanos(), name, waiter.acquisitionId());
  }

  /** Tells watchers, and the session concerned unless its own command's reply says so already. */
  private void emit(Event event, boolean byOwnCommand) {
    draft.add(event);
    SessionId concerned = event.holder().session();
    if (origin.filter(concerned::equals).isPresent()) {
      if (!byOwnCommand) {
        originNews.add(event);
      }
    } else {
      keepNews(concerned, event);
    }
  }

  private void keepNews(SessionId id, Event event) {
    Optional<Session> session = draft.session(id);
    if (session.isEmpty() || session.get().newsLost()) {
      return;
    }
    List<Event> pending = new ArrayList<>(draft.news(id));
    if (pending.size() >= limits.newsPerSession()) {
      draft.put(session.get().withNewsLost(true));
      draft.putNews(id, List.of());
    } else {
      pending.add(event);
      draft.putNews(id, pending);
    }
  }

  private static Optional<String> faultIn(Command.Acquire command) {
    return LeaseLimits.faultInName(command.name())
        .map(fault -> "name " + fault)
        .or(() -> LeaseLimits.faultInOwner(command.owner()).map(fault -> "owner " + fault))
        .or(
            () ->
                LeaseLimits.faultInTtl(Duration.ofNanos(command.ttlNanos()))
                    .map(fault -> "ttl " + fault));
  }
}
