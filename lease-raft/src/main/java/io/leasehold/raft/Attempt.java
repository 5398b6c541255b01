package io.leasehold.raft;

import static java.util.Objects.requireNonNull;

import io.leasehold.LeaseException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.raft.meters.HolderMeters.Limit;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Reply;
import io.leasehold.time.Timer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to acquire a lease, shared by the callers that came while it ran. Confined to the
 * strand.
 *
 * <p>It confirms what is held already, else asks the store, and then waits between tries or for its
 * turn in the queue ({@link QueuePlace}). It ends once; whatever the store answers to an attempt
 * that has ended is undone by the {@link Command.Leave} that was sent after the question.
 */
final class Attempt {

  private final LeaseNode node;
  private final Claimant claimant;
  private final LeaseSettings settings;
  private final AcquireCallers callers;
  private final AcquireFailures failures;
  private final List<Consumer<Optional<LeaseException>>> releases = new ArrayList<>();

  private State state = State.CONFIRMING;
  private int triesLeft;

  /** Who was there when the store was asked last: its no is an answer to nobody else. */
  private Set<AcquireCaller> asked = Set.of();

  private long acquisitionId;
  private @Nullable Call question;

  /** While queued. */
  private @Nullable QueuePlace place;

  /** The log index by which the store had given it that place. */
  private long queuedIndex;

  private final Set<Long> endedEarly = new HashSet<>();
  private @Nullable EarlyGrant earlyGrant;
  private Timer.@Nullable Cancellable deadline;
  private Timer.@Nullable Cancellable nextTry;

  Attempt(LeaseNode node, Claimant claimant, LeaseSettings settings) {
    this.node = node;
    this.claimant = claimant;
    this.settings = settings;
    this.callers = new AcquireCallers(node);
    this.failures =
        new AcquireFailures(
            claimant.name(), claimant.owner(), node.requestTimeout(), node::waitsFor);
    this.triesLeft = settings.acquireRetries();
  }

  private enum State {
    /** Asks whether what is held locally is still held in the store. */
    CONFIRMING,
    /** Has asked for a grant. */
    ASKING,
    /** Waits for the next try. */
    PAUSING,
    /** Has a place in the queue, or is leaving it. */
    QUEUED,
    ENDED
  }

  void begin(AcquireCaller caller) {
    callers.add(caller);
    node.pace().add(settings.renewalInterval().toNanos());
    deadline = node.after(node.requestTimeout(), this::outOfTime);
    Hold held = claimant.hold();
    if (held != null && node.isAlive(held)) {
      confirm(held);
    } else {
      ask();
    }
  }

  /** Whether a further caller may share it: not when it is on its way out. */
  boolean admits() {
    return state != State.ENDED && !isLeaving() && releases.isEmpty();
  }

  private boolean isLeaving() {
    return place != null && place.isLeaving();
  }

  void join(AcquireCaller caller) {
    callers.add(caller);
    if (place != null) {
      place.join(caller);
    } else if (state == State.PAUSING && caller.waits()) {
      ask();
    }
  }

  boolean expects(long grantedAcquisitionId) {
    return grantedAcquisitionId == acquisitionId
        && (state == State.ASKING || (state == State.QUEUED && !isLeaving()));
  }

  private void confirm(Hold held) {
    state = State.CONFIRMING;
    question =
        node.send(
            new Command.Confirm(claimant.name(), held.token()),
            answer -> {
              if (state == State.CONFIRMING) {
                confirmed(held, answer);
              }
            });
  }

  private void confirmed(Hold held, Answer answer) {
    if (answer instanceof Answer.Stopped stopped) {
      fail(failures.stopped(stopped.why(), false));
    } else if (isConfirmed(answer) && (node.isAlive(held) || !releases.isEmpty())) {
      succeed(); // perhaps it is being released since
    } else {
      claimant.lose(
          held, LeaseLost.Reason.EXPIRED, "The store did not have this hold any more when asked");
      ask();
    }
  }

  private static boolean isConfirmed(Answer answer) {
    return answer instanceof Answer.Applied applied && applied.reply() instanceof Reply.Confirmed;
  }

  private void ask() {
    if (node.isOverloaded()) {
      fail(failures.overloaded());
      return;
    }
    state = State.ASKING;
    cancelNextTry();
    endPlace();
    if (deadline == null) {
      deadline = node.after(node.requestTimeout(), this::outOfTime);
    }
    acquisitionId = node.nextAcquisitionId();
    long id = acquisitionId;
    asked = callers.copy();
    boolean queued = callers.anyWaitsAt(node.nowNanos());
    question =
        node.send(
            new Command.Acquire(
                claimant.name(),
                claimant.owner(),
                settings.ttl().toNanos(),
                id,
                queued,
                settings.reclaim()),
            answer -> {
              if (state == State.ASKING && acquisitionId == id) {
                answered(answer);
              }
            });
  }

  private void answered(Answer answer) {
    if (answer instanceof Answer.SessionGone) {
      ask();
    } else if (answer instanceof Answer.Stopped stopped) {
      fail(failures.stopped(stopped.why(), stopped.mayHaveBeenApplied()));
    } else if (answer instanceof Answer.Applied applied) {
      answered(applied.reply(), applied.index());
    }
  }

  private void answered(Reply reply, long index) {
    if (reply instanceof Reply.Granted granted) {
      granted(granted.token(), index);
    } else if (reply instanceof Reply.Queued) {
      queued(index);
    } else if (reply instanceof Reply.HeldByOther) {
      heldByOther();
    } else if (reply instanceof Reply.Refused refused) {
      node.meters().limitReached(Limit.STORE);
      fail(failures.refused(refused.reason()));
    } else {
      throw new IllegalStateException("not an answer to an acquire: " + reply);
    }
  }

  private void heldByOther() {
    triesLeft--;
    if (!releases.isEmpty()) {
      refuseAsked();
    } else if (callers.anyWaitsAt(node.nowNanos())) {
      ask();
    } else if (triesLeft <= 0) {
      refuseAsked();
    } else {
      state = State.PAUSING;
      nextTry = node.after(settings.acquireRetryDelay(), this::ask);
    }
  }

  /** Who came after the question was asked has an attempt of its own. */
  void refuseAsked() {
    callers.refuseEach(asked::contains);
    if (callers.isEmpty()) {
      end(Optional.empty());
    } else {
      triesLeft = settings.acquireRetries();
      cancelDeadline();
      ask();
    }
  }

  private void queued(long index) {
    state = State.QUEUED;
    queuedIndex = index;
    cancelDeadline();
    QueuePlace got =
        new QueuePlace(node, claimant, settings.ttl(), acquisitionId, callers, failures, this);
    place = got;
    node.waits();
    EarlyGrant early = earlyGrant;
    if (early != null && early.acquisitionId() == acquisitionId) {
      granted(early.token(), early.index());
    } else if (releases.isEmpty()) {
      got.keep(asked);
    } else {
      got.leave(true);
    }
  }

  /**
   * The store has granted this attempt's acquisition by a hand-over. Where that is heard before the
   * answer that there is a place in the queue, it waits for that answer: only an answer renews the
   * session that the deadline counts from.
   */
  void handedOver(long token, long index) {
    if (state == State.QUEUED) {
      granted(token, index);
    } else {
      earlyGrant = new EarlyGrant(acquisitionId, token, index);
    }
  }

  /** A hold of this claimant's has ended that it may not know of yet. */
  void ended(long token) {
    endedEarly.add(token);
  }

  private void granted(long token, long index) {
    LiveSession session = node.session();
    if (session == null) {
      return; // the grant ended with its session, and the attempt hears of that
    }
    if (endedEarly.contains(token) || node.isReleasing(token)) {
      ask(); // it is over already, only the news of it came first
      return;
    }
    Hold hold =
        new Hold(
            claimant,
            session,
            token,
            index,
            node.lifeNanos(settings.ttl()),
            settings.renewalInterval().toNanos());
    if (!node.isAlive(hold)) {
      node.giveBack(claimant.name(), token);
      fail(failures.grantedTooLate());
      return;
    }
    if (place != null) {
      node.meters().handedOver(claimant.name());
    }
    if (releases.isEmpty() && !callers.isEmpty()) {
      claimant.hold(hold);
    } else {
      claimant.undo(token); // never alive: its release was called before, or nobody waits for it
    }
    callers.deliver(hold);
    end(Optional.empty());
  }

  /**
   * Asks again where the place is gone and the news of that was lost: the lease has been handed
   * over, and has ended since.
   */
  void queuedOnlyIf(Set<Long> waiting, long index) {
    if (state == State.QUEUED
        && !isLeaving()
        && queuedIndex < index
        && !waiting.contains(acquisitionId)) {
      ask();
    }
  }

  void skipped() {
    fail(failures.skipped());
  }

  /**
   * The session has gone, and a place in a queue with it. An unanswered question learns of it by
   * its answer.
   */
  void sessionLost() {
    if (state == State.QUEUED && !isLeaving()) {
      fail(failures.sessionEnded());
    }
  }

  /**
   * @param release called when this attempt has ended, with its failure if it has one
   */
  void releaseAfterwards(Consumer<Optional<LeaseException>> release) {
    releases.add(release);
    if (state == State.PAUSING) {
      refuseAsked();
    } else if (place != null && !place.isLeaving()) {
      place.leave(true);
    }
  }

  void callerGone() {
    callers.forgetGone();
    if (callers.isEmpty() && state != State.ENDED && !isLeaving()) {
      withdraw();
      end(Optional.empty());
    }
  }

  /** The store cannot be asked any more. An unanswered question learns of it by its answer. */
  void storeStopped(String why) {
    if (state == State.QUEUED && !isLeaving()) {
      fail(failures.stopped(why, true)); // it may be granted before its session ends
    } else if (state == State.PAUSING) {
      fail(failures.stopped(why, false));
    }
  }

  void providerClosed() {
    switch (state) {
      case QUEUED -> requireNonNull(place).providerClosed();
      case ASKING -> fail(failures.stopped(LeaseNode.CLOSED, !withdrawQuestion()));
      case CONFIRMING, PAUSING -> fail(failures.stopped(LeaseNode.CLOSED, false));
      case ENDED -> {}
    }
  }

  private void outOfTime() {
    switch (state) {
      case CONFIRMING -> {
        withdrawQuestion();
        fail(failures.outOfTime("could not be confirmed"));
      }
      case PAUSING -> refuseAsked();
      case ASKING -> {
        boolean noEffect = withdraw();
        fail(noEffect ? failures.outOfTime("could not be requested") : failures.unanswered());
      }
      case QUEUED, ENDED -> {}
    }
  }

  /** Ends it and undoes what the store may have granted. */
  void giveUp(LeaseException failure) {
    withdraw();
    fail(failure);
  }

  /** Makes sure that nothing comes of what was asked; true if nothing can have come of it. */
  private boolean withdraw() {
    if (state == State.ASKING && withdrawQuestion()) {
      return true;
    }
    if (state == State.ASKING || state == State.QUEUED) {
      node.send(new Command.Leave(claimant.name(), acquisitionId), answer -> {});
      return false;
    }
    return true;
  }

  private boolean withdrawQuestion() {
    return question != null && question.withdraw();
  }

  void succeed() {
    callers.answerAll(true);
    end(Optional.empty());
  }

  void refuse() {
    callers.answerAll(false);
    end(Optional.empty());
  }

  void fail(LeaseException failure) {
    callers.failAll(failure);
    end(Optional.of(failure));
  }

  private void end(Optional<LeaseException> failure) {
    state = State.ENDED;
    cancelDeadline();
    cancelNextTry();
    endPlace();
    node.pace().remove(settings.renewalInterval().toNanos());
    claimant.attemptEnded(this, () -> releases.forEach(release -> release.accept(failure)));
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }

  private void cancelNextTry() {
    if (nextTry != null) {
      nextTry.cancel();
      nextTry = null;
    }
  }

  private void endPlace() {
    if (place != null) {
      place.end();
      place = null;
      node.waitsNoMore();
    }
  }

  private record EarlyGrant(long acquisitionId, long token, long index) {}
}
