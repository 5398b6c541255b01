package io.leasehold.raft;

import io.leasehold.raft.StoreClient.SessionListener;
import io.leasehold.raft.meters.HolderMeters;
import io.leasehold.raft.meters.HolderMeters.RenewalOutcome;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.Reply;
import io.leasehold.time.Ticker;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what this node takes for held into line with each reply of the store, in the one order
 * that is safe: what has ended is told, then what is left is renewed, then what has begun is told.
 * Where both do not agree after that, nothing is renewed until the store has been asked for all
 * that it holds. Confined to the strand.
 */
final class Reconciliation {

  private static final Logger LOG = LoggerFactory.getLogger(Reconciliation.class);

  private final Holds holds;
  private final SessionListener listener;
  private final Consumer<Call> sender;
  private final Ticker ticker;
  private final HolderMeters meters;
  private final GrantLedger ledger = new GrantLedger();
  private boolean reconciling;

  /**
   * @param sender sends a command in the session
   */
  Reconciliation(
      Holds holds,
      SessionListener listener,
      Consumer<Call> sender,
      Ticker ticker,
      HolderMeters meters) {
    this.holds = holds;
    this.listener = listener;
    this.sender = sender;
    this.ticker = ticker;
    this.meters = meters;
  }

  /** A session begins, or has gone: nothing is held in it. */
  void clear() {
    ledger.clear();
  }

  /**
   * @param renewed the session that the batch was sent in
   */
  void applied(Courier.Flight flown, BatchReply reply, LiveSession renewed) {
    // A renewal that comes late revives nothing.
    holds.endOverdue();
    if (heldIn(reply).isPresent()) {
      reconciling = false; // also where an error keeps its answer from being given below
    }
    // The ledger last: if an error leaves some end untold it does not agree, and nothing is renewed
    // until a comparison has found that end.
    tellEnded(reply);
    reply.news().forEach(ledger::note);
    reply.replies().forEach(ledger::note);
    boolean agreed = ledger.agreesWith(reply.heldDigest());
    if (agreed && flown.renews()) {
      // The store vouches for all that is left, and only for that (CORRECTNESS.md, P8).
      holds.renew(renewed, flown.firstHandedNanos);
    }
    meters.renewalEnded(
        agreed && flown.renews() ? RenewalOutcome.ACKNOWLEDGED : RenewalOutcome.UNCONFIRMED,
        ticker.nanos() - flown.firstHandedNanos);
    tellGranted(reply);
    for (int i = 0; i < flown.calls.size(); i++) {
      flown.calls.get(i).answer(new Answer.Applied(reply.replies().get(i), reply.index()));
    }
    heldIn(reply).ifPresent(held -> listener.held(held, reply.index()));
    if (reply.newsLost() || !agreed) {
      reconcile(reply);
    }
  }

  private void tellEnded(BatchReply reply) {
    for (Event event : reply.news()) {
      if (!(event instanceof Event.Granted)) {
        listener.ended(event);
      }
    }
    heldIn(reply)
        .ifPresent(
            held ->
                listener.endedUnless(
                    held.holds().stream().map(Reply.Hold::token).collect(Collectors.toSet()),
                    reply.index()));
  }

  private void tellGranted(BatchReply reply) {
    for (Event event : reply.news()) {
      if (event instanceof Event.Granted granted) {
        listener.handedOver(granted, reply.index());
      }
    }
  }

  private static Optional<Reply.Held> heldIn(BatchReply reply) {
    return reply.replies().stream()
        .filter(Reply.Held.class::isInstance)
        .map(Reply.Held.class::cast)
        .findFirst();
  }

  private void reconcile(BatchReply reply) {
    if (reconciling) {
      return;
    }
    if (!reply.newsLost()) {
      LOG.warn(
          "This node and the store disagree about what it holds at index {}; comparing",
          reply.index());
    }
    reconciling = true;
    sender.accept(new Call(new Command.Reconcile(), answer -> reconciling = false));
  }
}
