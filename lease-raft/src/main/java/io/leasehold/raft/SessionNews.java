package io.leasehold.raft;

import io.leasehold.LeaseLost;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.SessionId;
import io.leasehold.time.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Brings what is told of this node's session to the claimants concerned, whoever tells it first: a
 * reply, which is certain and complete, or the replica, which is only faster. Methods are for the
 * strand unless they say otherwise.
 */
final class SessionNews implements StoreClient.SessionListener, LeaseStore.Watcher {

  private final LeaseNode node;
  private final Duration sessionTtl;

  /**
   * @param sessionTtl how long the store remembers a silent session
   */
  SessionNews(LeaseNode node, Duration sessionTtl) {
    this.node = node;
    this.sessionTtl = sessionTtl;
  }

  // --- from the store client

  @Override
  public void handedOver(Event.Granted granted, long index) {
    handedOver(
        granted.name(), granted.holder().owner(), granted.token(), granted.acquisitionId(), index);
  }

  private void handedOver(String name, String owner, long token, long acquisitionId, long index) {
    Claimant claimant = node.claimants().find(name, owner);
    if (claimant == null || !claimant.handedOver(token, acquisitionId, index)) {
      node.giveBack(name, token);
    }
  }

  @Override
  public void sessionLost(LiveSession lost) {
    for (Hold hold : node.holds().all()) {
      hold.claimant()
          .lose(
              hold,
              LeaseLost.Reason.SESSION_LOST,
              "The store does not know this node's session any more; it was not renewed for "
                  + DurationText.of(sessionTtl));
    }
    node.claimants().forEach(Claimant::sessionLost);
  }

  @Override
  public void endedUnless(Set<Long> heldTokens, long index) {
    for (Hold hold : node.holds().all()) {
      if (hold.grantedIndex() <= index && !heldTokens.contains(hold.token())) {
        hold.claimant()
            .lose(hold, LeaseLost.Reason.EXPIRED, "The store does not have this hold any more");
        node.giveBack(hold.claimant().name(), hold.token()); // it may only be revoked
      }
    }
  }

  @Override
  public void held(Reply.Held held, long index) {
    held.holds()
        .forEach(
            hold ->
                handedOver(hold.name(), hold.owner(), hold.token(), hold.acquisitionId(), index));
    Set<Long> waiting = Set.copyOf(held.waiting());
    node.claimants().forEach(claimant -> claimant.queuedOnlyIf(waiting, index));
  }

  // --- from the replica, on its thread

  @Override
  public void applied(long index, List<Event> news) {
    SessionId mine = node.client().sessionId();
    if (mine == null) {
      return;
    }
    for (Event event : news) {
      if (event.holder().session().equals(mine)) {
        node.run(() -> toldEarly(event, index));
      }
    }
  }

  @Override
  public void replaced(long index) {
    // What was skipped is told by the next reply.
    node.run(() -> node.send(new Command.Reconcile(), answer -> {}));
  }

  @Override
  public void leaderChanged(Optional<String> leader) {
    if (leader.isPresent()) {
      node.run(node.client()::leaderKnown);
    }
  }

  /**
   * Nothing can be asked, renewed or released any more. The holds last until their deadlines: the
   * store does not know yet that this node is out of it.
   */
  @Override
  public void stopped(String why) {
    node.run(
        () -> {
          node.client().stop(why);
          node.claimants().forEach(claimant -> claimant.storeStopped(why));
        });
  }

  /**
   * What the replica tells is early news: the next reply tells it again. So a grant that nobody
   * expects is left to that reply, which knows whether it has been released already. Or it is late
   * news, of a replica that is behind: what a reply has told before, grants above all, has had its
   * effect and may be over.
   */
  private void toldEarly(Event event, long index) {
    if (event instanceof Event.SessionEnded ended) {
      node.client().sessionEnded(ended.holder().session());
      return;
    }
    LiveSession current = node.client().session();
    if (current == null || !current.id().equals(event.holder().session())) {
      return;
    }
    if (event instanceof Event.Granted granted) {
      Claimant claimant = node.claimants().find(granted.name(), granted.holder().owner());
      if (claimant != null && index > node.client().answeredIndex()) {
        boolean unused = claimant.handedOver(granted.token(), granted.acquisitionId(), index);
      }
    } else {
      ended(event);
    }
  }

  @Override
  public void ended(Event event) {
    if (event instanceof Event.Expired expired) {
      lose(
          expired.name(),
          expired.holder().owner(),
          expired.token(),
          LeaseLost.Reason.EXPIRED,
          "The store ended it because it was not renewed for its ttl");
    } else if (event instanceof Event.TakenOver takenOver) {
      lose(
          takenOver.name(),
          takenOver.holder().owner(),
          takenOver.token(),
          LeaseLost.Reason.TAKEN_OVER,
          "It is now held by '%s' on node %s"
              .formatted(takenOver.by().owner(), takenOver.by().node()));
    } else if (event instanceof Event.Revoked revoked) {
      lose(
          revoked.name(),
          revoked.holder().owner(),
          revoked.token(),
          LeaseLost.Reason.REVOKED,
          "An operator revoked it: " + revoked.reason());
      if (!revoked.freed()) {
        node.giveBack(revoked.name(), revoked.token());
      }
    } else if (event instanceof Event.Skipped skipped) {
      Claimant claimant = node.claimants().find(skipped.name(), skipped.holder().owner());
      if (claimant != null) {
        claimant.skipped(skipped.acquisitionId());
      }
    } else if (event instanceof Event.Released released) {
      // A no-op wherever this node has asked for it: it does not believe in the hold any more.
      lose(
          released.name(),
          released.holder().owner(),
          released.token(),
          LeaseLost.Reason.EXPIRED,
          "The store has released it without being asked by this handle");
    }
  }

  private void lose(
      String name, String owner, long token, LeaseLost.Reason reason, String message) {
    Claimant claimant = node.claimants().find(name, owner);
    if (claimant != null) {
      claimant.lose(token, reason, message);
    }
  }
}
