package io.leasehold.raft;

import io.leasehold.store.core.Command;
import io.leasehold.store.core.Reply;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An attempt's place in the queue of a lease: it is kept while somebody waits and the store is
 * heard of, and left when the last wait is over. Confined to the strand.
 */
final class QueuePlace {

  private final LeaseNode node;
  private final Claimant claimant;
  private final Duration ttl;
  private final long acquisitionId;
  private final AcquireCallers callers;
  private final AcquireFailures failures;
  private final Attempt attempt;

  private State state = State.WAITING;
  private boolean closing;

  /** When to look again while it waits; how long it may take to leave. */
  private Timer.@Nullable Cancellable wakeUp;

  private enum State {
    WAITING,
    /** Gives the place up because the last wait is over. */
    LEAVING,
    ENDED
  }

  /**
   * @param acquisitionId the acquire that has the place
   * @param attempt is told how it ends, unless by a grant
   */
  QueuePlace(
      LeaseNode node,
      Claimant claimant,
      Duration ttl,
      long acquisitionId,
      AcquireCallers callers,
      AcquireFailures failures,
      Attempt attempt) {
    this.node = node;
    this.claimant = claimant;
    this.ttl = ttl;
    this.acquisitionId = acquisitionId;
    this.callers = callers;
    this.failures = failures;
    this.attempt = attempt;
  }

  boolean isLeaving() {
    return state == State.LEAVING;
  }

  /**
   * Begins to wait.
   *
   * @param asked who was there when the store was asked: the place says no to those who do not wait
   */
  void keep(Set<AcquireCaller> asked) {
    callers.refuseEach(caller -> !caller.waits() && asked.contains(caller));
    callers.notWaiting().forEach(this::answerOnceStillQueued);
    leaveIfNobodyWaits();
    if (state == State.WAITING) {
      wakeAtNextWaitsEnd();
    }
  }

  void join(AcquireCaller caller) {
    if (caller.waits()) {
      wakeAtNextWaitsEnd();
    } else {
      answerOnceStillQueued(caller);
    }
  }

  /** Another holder has it as long as a round trip brings no grant. */
  private void answerOnceStillQueued(AcquireCaller caller) {
    node.send(
        LeaseNode.BARRIER,
        answer -> {
          if (answer instanceof Answer.Applied
              && state == State.WAITING
              && callers.refuse(caller)) {
            leaveIfNobodyWaits();
          }
        });
  }

  private void leaveIfNobodyWaits() {
    if (state == State.WAITING && !callers.anyWaits()) {
      leave(false);
    }
  }

  /**
   * Looks again when a caller's wait ends, or when this node's silence has cost the place in the
   * queue.
   */
  private void wakeAtNextWaitsEnd() {
    cancelWakeUp();
    long nowNanos = node.nowNanos();
    long delayNanos = callers.untilNextWaitsEndNanos(nowNanos, silenceLeftNanos(nowNanos));
    wakeUp = node.after(Duration.ofNanos(Math.max(0, delayNanos)), this::waited);
  }

  private void waited() {
    long nowNanos = node.nowNanos();
    if (silenceLeftNanos(nowNanos) <= 0) {
      attempt.giveUp(failures.silent());
    } else if (!callers.anyWaitsAt(nowNanos)) {
      leave(false);
    } else {
      callers.endWaits(nowNanos).forEach(this::answerOnceStillQueued);
      wakeAtNextWaitsEnd();
    }
  }

  private long silenceLeftNanos(long nowNanos) {
    LiveSession session = node.session();
    return session == null ? 0 : node.lifeNanos(ttl) - (nowNanos - session.renewedNanos());
  }

  /**
   * Gives the place up, or what has been granted meanwhile.
   *
   * @param released whether the callers have released, so that a grant was theirs
   */
  void leave(boolean released) {
    state = State.LEAVING;
    cancelWakeUp();
    wakeUp = node.after(node.requestTimeout(), () -> attempt.fail(failures.leavingUnanswered()));
    node.send(
        new Command.Leave(claimant.name(), acquisitionId),
        answer -> {
          if (state == State.LEAVING) {
            left(answer, released);
          }
        });
  }

  private void left(Answer answer, boolean released) {
    if (answer instanceof Answer.Stopped stopped) {
      attempt.fail(failures.stopped(stopped.why(), true));
    } else if (closing) {
      // If it has not left, it has been handed the lease before.
      attempt.fail(failures.stopped(LeaseNode.CLOSED, !hasLeft(answer)));
    } else if (hasLeft(answer)) {
      attempt.refuse(); // another holder had it all the while
    } else if (hasReleased(answer) && released) {
      attempt.succeed(); // it had been handed over, and is released since
    } else {
      attempt.refuseAsked();
    }
  }

  private static boolean hasLeft(Answer answer) {
    return answer instanceof Answer.Applied applied && applied.reply() instanceof Reply.Left;
  }

  private static boolean hasReleased(Answer answer) {
    return answer instanceof Answer.Applied applied && applied.reply() instanceof Reply.Released;
  }

  /** It may have been handed the lease: only leaving tells. */
  void providerClosed() {
    closing = true;
    if (state == State.WAITING) {
      leave(false);
    }
  }

  /** The attempt does not rest on it any more. */
  void end() {
    state = State.ENDED;
    cancelWakeUp();
  }

  private void cancelWakeUp() {
    if (wakeUp != null) {
      wakeUp.cancel();
      wakeUp = null;
    }
  }
}
