package io.leasehold.store.core;

import io.leasehold.LeaseLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What each command does to a lease. Confined to one entry. */
final class LeaseRules {

  static final long TTL_NANOS_MAX = LeaseLimits.TTL_MAX.toNanos();

  private final Draft draft;
  private final Limits limits;
  private final Grants grants;

  LeaseRules(Draft draft, Limits limits, Grants grants) {
    this.draft = draft;
    this.limits = limits;
    this.grants = grants;
  }

  Reply acquire(Command.Acquire command, Session session) {
    Optional<String> fault = faultIn(command);
    if (fault.isPresent()) {
      return new Reply.Refused(fault.get());
    }
    if (draft.session(session.id()).isEmpty()) {
      return new Reply.Refused("the session was closed by the same batch");
    }
    Holder holder = new Holder(session.id(), session.node(), command.owner());
    Waiter asker = new Waiter(holder, command.ttlNanos(), command.acquisitionId());
    Optional<String> conflict = conflictOf(command, holder);
    if (conflict.isPresent()) {
      return new Reply.Refused(conflict.get());
    }
    makeWay(command, asker, session);

    Optional<HeldLease> lease = draft.lease(command.name());
    if (lease.isEmpty()) {
      return draft.state().leases() < limits.leases()
          ? new Reply.Granted(grants.grantFree(command.name(), asker))
          : new Reply.Refused("the store holds its limit of " + limits.leases() + " leases");
    }
    HeldLease held = lease.get();
    if (held.holder().equals(holder)) {
      return ownHold(held, asker);
    }
    return command.queued()
        ? queue(held, asker)
        : new Reply.HeldByOther(held.holder(), held.token());
  }

  /**
   * Says why an acquire comes too late. A holder has one place in a queue: a later acquire gives up
   * that of an earlier one, the same one keeps it.
   */
  private Optional<String> conflictOf(Command.Acquire command, Holder asker) {
    Optional<HeldLease> found = draft.lease(command.name());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    HeldLease lease = found.get();
    if (isAnothersAcquisition(lease, command.acquisitionId(), asker)) {
      return Optional.of("the acquisition id is that of another owner");
    }
    Optional<Waiter> place = lease.placeOf(asker);
    if (place.isPresent()) {
      long waitsBy = place.get().acquisitionId();
      if (waitsBy > command.acquisitionId()) {
        return Optional.of("a later acquire of the same holder waits");
      }
      if (waitsBy < command.acquisitionId() || !command.queued()) {
        giveUp(place.get(), lease);
      }
    }
    return Optional.empty();
  }

  /** Else two owners would share one claim, and the end of one would be that of both. */
  private static boolean isAnothersAcquisition(HeldLease lease, long acquisitionId, Holder asker) {
    boolean isAnothersHold =
        lease.isOf(asker.session())
            && lease.acquisitionId() == acquisitionId
            && !lease.holder().equals(asker);
    return isAnothersHold
        || lease
            .placeOf(asker.session(), acquisitionId)
            .filter(place -> !place.holder().equals(asker))
            .isPresent();
  }

  private void giveUp(Waiter place, HeldLease lease) {
    List<Waiter> queue = new ArrayList<>(lease.queue());
    queue.remove(place);
    grants.withdraw(place, lease.name());
    draft.put(lease.withQueue(queue));
  }

  /**
   * Ends what an acquire may end: a hold of the asker's own, one that has run out, one that it
   * reclaims.
   */
  private void makeWay(Command.Acquire command, Waiter asker, Session session) {
    Optional<HeldLease> found = draft.lease(command.name());
    if (found.isEmpty()) {
      return;
    }
    HeldLease lease = found.get();
    if (lease.holder().equals(asker.holder())) {
      if (lease.acquisitionId() < asker.acquisitionId()) {
        // The asker does not believe in that hold any more, or it would have confirmed it: a new
        // grant needs a new token (CORRECTNESS.md, P6).
        grants.end(lease, released(lease), false);
      }
    } else if (grants.isDue(lease)) {
      boolean isWaitedFor = lease.queue().stream().anyMatch(grants::isLiving);
      grants.end(lease, isWaitedFor ? expired(lease) : takenOver(lease, asker), false);
    } else if (command.reclaim() && isOlderSelf(lease, asker, session)) {
      grants.takeOver(lease, asker);
    }
  }

  private boolean isOlderSelf(HeldLease lease, Waiter asker, Session session) {
    return lease.holder().owner().equals(asker.holder().owner())
        && grants.sessionOfClaim(lease.holder().session()).ordinal() < session.ordinal();
  }

  private static Reply ownHold(HeldLease held, Waiter asker) {
    if (held.acquisitionId() != asker.acquisitionId()) {
      return new Reply.Refused("a later acquire of the same holder has been granted");
    }
    return held.isRevoked()
        ? new Reply.Refused("the hold has been revoked")
        : new Reply.Granted(held.token());
  }

  private Reply queue(HeldLease lease, Waiter asker) {
    if (lease.placeOf(asker.holder()).isPresent()) {
      return new Reply.Queued();
    }
    if (lease.queue().size() >= limits.waitersPerLease()) {
      return new Reply.Refused(
          "the lease has its limit of " + limits.waitersPerLease() + " waiters");
    }
    List<Waiter> queue = new ArrayList<>(lease.queue());
    queue.add(asker);
    draft.put(lease.withQueue(queue));
    draft.putClaim(asker.claimOn(lease.name()));
    return new Reply.Queued();
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
    return draft
        .lease(command.name())
        .filter(lease -> lease.token() == command.token() && lease.isOf(session))
        .map(this::release)
        .orElseGet(Reply.NotHeld::new);
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
    Optional<Waiter> place = lease.placeOf(session, command.acquisitionId());
    if (place.isEmpty()) {
      return new Reply.NotHeld();
    }
    giveUp(place.get(), lease);
    return new Reply.Left();
  }

  private Reply release(HeldLease lease) {
    grants.end(lease, released(lease), true);
    return new Reply.Released(lease.token());
  }

  Reply reconcile(SessionId session) {
    List<Reply.Hold> holds = new ArrayList<>();
    List<Long> waiting = new ArrayList<>();
    for (Claim claim : draft.claims(session)) {
      HeldLease lease = draft.lease(claim.name()).orElseThrow();
      if (!lease.claim().equals(claim)) {
        waiting.add(claim.acquisitionId());
      } else if (!lease.isRevoked()) {
        holds.add(asHold(lease));
      }
    }
    return new Reply.Held(holds, waiting);
  }

  private static Reply.Hold asHold(HeldLease lease) {
    return new Reply.Hold(
        lease.name(), lease.holder().owner(), lease.token(), lease.acquisitionId());
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
      grants.end(lease, event, false);
    } else if (!lease.isRevoked()) {
      grants.revoke(lease, event);
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
      if (grants.isDue(lease)) {
        grants.end(lease, expired(lease), false);
      }
      return;
    }
    lease
        .placeOf(command.session(), command.acquisitionId())
        .filter(place -> !grants.isLiving(place))
        .ifPresent(
            place -> {
              List<Waiter> queue = new ArrayList<>(lease.queue());
              queue.remove(place);
              draft.put(lease.withQueue(queue));
              grants.skip(place, lease.name());
            });
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
          .flatMap(lease -> lease.placeOf(id, claim.acquisitionId()))
          .ifPresent(place -> giveUp(place, draft.lease(claim.name()).orElseThrow()));
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

  private static Event released(HeldLease lease) {
    return new Event.Released(lease.name(), lease.holder(), lease.token());
  }

  private static Event expired(HeldLease lease) {
    return new Event.Expired(lease.name(), lease.holder(), lease.token());
  }

  private static Event takenOver(HeldLease lease, Waiter asker) {
    return new Event.TakenOver(lease.name(), lease.holder(), lease.token(), asker.holder());
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
