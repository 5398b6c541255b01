package io.leasehold.raft;

import io.leasehold.LeaseException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Reply;
import io.leasehold.time.DurationText;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to acquire a lease, shared by the callers that came while it ran. Confined to the
 * strand.
 *
 * <p>It confirms what is held already, else asks the store, and then waits for its turn in the
 * queue or between tries. It ends once; whatever the store answers to an attempt that has ended is
 * undone by the {@link Command.Leave} that was sent after the question.
 */
final class Attempt {

  private final LeaseNode node;
  private final Claimant claimant;
  private final LeaseSettings settings;
  private final List<AcquireCaller> callers = new ArrayList<>();
  private final List<Consumer<Optional<LeaseException>>> releases = new ArrayList<>();

  private State state = State.CONFIRMING;
  private int triesLeft;

  /** Who was there when the store was asked last: its no is an answer to nobody else. */
  private Set<AcquireCaller> asked = Set.of();

  private long acquisitionId;
  private @Nullable Call question;
  private final Set<Long> endedEarly = new HashSet<>();
  private @Nullable EarlyGrant earlyGrant;
  private Timer.@Nullable Cancellable deadline;
  private Timer.@Nullable Cancellable nextStep;
  private boolean closing;

  Attempt(LeaseNode node, Claimant claimant, LeaseSettings settings) {
    this.node = node;
    this.claimant = claimant;
    this.settings = settings;
    this.triesLeft = settings.acquireRetries();
  }

  private enum State {
    /** Asks whether what is held locally is still held in the store. */
    CONFIRMING,
    /** Has asked for a grant. */
    ASKING,
    /** Waits for the next try. */
    PAUSING,
    /** Has a place in the queue. */
    QUEUED,
    /** Gives its place up because the last wait is over. */
    LEAVING,
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
    return state != State.LEAVING && state != State.ENDED && releases.isEmpty();
  }

  void join(AcquireCaller caller) {
    callers.add(caller);
    if (state == State.QUEUED) {
      if (caller.waits()) {
        wakeAtNextWaitsEnd();
      } else {
        answerOnceStillQueued(caller);
      }
    } else if (state == State.PAUSING && caller.waits()) {
      ask();
    }
  }

  /** Another holder has it as long as a round trip brings no grant. */
  private void answerOnceStillQueued(AcquireCaller caller) {
    node.send(
        LeaseNode.BARRIER,
        answer -> {
          if (answer instanceof Answer.Applied && state == State.QUEUED && callers.remove(caller)) {
            node.complete(caller.future(), false, null);
            leaveIfNobodyWaits();
          }
        });
  }

  boolean expects(long grantedAcquisitionId) {
    return grantedAcquisitionId == acquisitionId
        && (state == State.ASKING || state == State.QUEUED);
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
    if (answer instanceof Answer.Stopped) {
      fail(closed(false));
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
    Optional<String> storeFailure = node.storeFailure();
    if (storeFailure.isPresent()) {
      fail(
          new LeaseUnavailableException(
              "Lease '%s' cannot be asked for: %s".formatted(claimant.name(), storeFailure.get())));
      return;
    }
    if (node.isOverloaded()) {
      fail(
          new LeaseUnavailableException(
              "This node has too many commands waiting for the store; lease '%s' was not asked for, try again later"
                  .formatted(claimant.name())));
      return;
    }
    state = State.ASKING;
    cancelNextStep();
    if (deadline == null) {
      deadline = node.after(node.requestTimeout(), this::outOfTime);
    }
    acquisitionId = node.nextAcquisitionId();
    long id = acquisitionId;
    asked = Set.copyOf(callers);
    boolean queued = somebodyWaits();
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
      fail(closed(stopped.mayHaveBeenApplied()));
    } else if (answer instanceof Answer.Applied applied) {
      answered(applied.reply(), applied.index());
    }
  }

  private void answered(Reply reply, long index) {
    if (reply instanceof Reply.Granted granted) {
      granted(granted.token(), index);
    } else if (reply instanceof Reply.Queued) {
      queued();
    } else if (reply instanceof Reply.HeldByOther) {
      heldByOther();
    } else if (reply instanceof Reply.Refused refused) {
      fail(
          new LeaseUnavailableException(
              "The store refused lease '%s' to '%s': %s"
                  .formatted(claimant.name(), claimant.owner(), refused.reason())));
    } else {
      throw new IllegalStateException("not an answer to an acquire: " + reply);
    }
  }

  private void heldByOther() {
    triesLeft--;
    if (!releases.isEmpty()) {
      refuseAsked();
    } else if (somebodyWaits()) {
      ask();
    } else if (triesLeft <= 0) {
      refuseAsked();
    } else {
      state = State.PAUSING;
      nextStep = node.after(settings.acquireRetryDelay(), this::ask);
    }
  }

  private boolean somebodyWaits() {
    long nowNanos = node.nowNanos();
    return callers.stream().anyMatch(caller -> caller.waits() && !caller.isOverAt(nowNanos));
  }

  /** Who came after the question was asked has an attempt of its own. */
  private void refuseAsked() {
    refuseEach(asked::contains);
    if (callers.isEmpty()) {
      end(Optional.empty());
    } else {
      triesLeft = settings.acquireRetries();
      cancelDeadline();
      ask();
    }
  }

  private void queued() {
    state = State.QUEUED;
    cancelDeadline();
    EarlyGrant early = earlyGrant;
    if (early != null && early.acquisitionId() == acquisitionId) {
      granted(early.token(), early.index());
      return;
    }
    if (!releases.isEmpty()) {
      leave();
      return;
    }
    refuseEach(caller -> !caller.waits() && asked.contains(caller));
    callers.stream().filter(caller -> !caller.waits()).forEach(this::answerOnceStillQueued);
    leaveIfNobodyWaits();
    if (state == State.QUEUED) {
      wakeAtNextWaitsEnd();
    }
  }

  private void leaveIfNobodyWaits() {
    if (state == State.QUEUED && callers.stream().noneMatch(AcquireCaller::waits)) {
      leave();
    }
  }

  /**
   * Looks again when a caller's wait ends, or when this node's silence has cost the place in the
   * queue.
   */
  private void wakeAtNextWaitsEnd() {
    cancelNextStep();
    long nowNanos = node.nowNanos();
    long delayNanos = silenceLeftNanos(nowNanos);
    for (AcquireCaller caller : callers) {
      if (caller.waits()) {
        delayNanos = Math.min(delayNanos, caller.waitUntilNanos() - nowNanos);
      }
    }
    nextStep = node.after(Duration.ofNanos(Math.max(0, delayNanos)), this::waited);
  }

  private void waited() {
    long nowNanos = node.nowNanos();
    if (silenceLeftNanos(nowNanos) <= 0) {
      withdraw();
      fail(
          new LeaseIndeterminateException(
              "The store was silent for the ttl of lease '%s', so '%s' has lost its place in the queue"
                  .formatted(claimant.name(), claimant.owner())));
      return;
    }
    if (callers.stream().allMatch(caller -> !caller.waits() || caller.isOverAt(nowNanos))) {
      leave();
      return;
    }
    List<AcquireCaller> done =
        callers.stream().filter(caller -> caller.waits() && caller.isOverAt(nowNanos)).toList();
    callers.removeAll(done);
    for (AcquireCaller caller : done) {
      AcquireCaller last = caller.waitingNoMore();
      callers.add(last);
      answerOnceStillQueued(last);
    }
    wakeAtNextWaitsEnd();
  }

  private void refuseEach(Predicate<AcquireCaller> which) {
    callers.stream().filter(which).forEach(caller -> node.complete(caller.future(), false, null));
    callers.removeIf(which);
  }

  private long silenceLeftNanos(long nowNanos) {
    LiveSession session = node.session();
    return session == null
        ? 0
        : node.lifeNanos(settings.ttl()) - (nowNanos - session.renewedNanos());
  }

  private void leave() {
    state = State.LEAVING;
    boolean released = !releases.isEmpty();
    cancelNextStep();
    deadline = node.after(node.requestTimeout(), this::outOfTime);
    node.send(
        new Command.Leave(claimant.name(), acquisitionId),
        answer -> {
          if (state != State.LEAVING) {
            return;
          }
          if (closing || answer instanceof Answer.Stopped) {
            fail(closed(!hasLeft(answer))); // else it may have been handed over before
          } else if (answer instanceof Answer.Applied applied) {
            left(applied.reply(), released);
          } else {
            refuseAsked();
          }
        });
  }

  private static boolean hasLeft(Answer answer) {
    return answer instanceof Answer.Applied applied && applied.reply() instanceof Reply.Left;
  }

  private void left(Reply reply, boolean released) {
    if (reply instanceof Reply.Left) {
      refuse(); // another holder had it all the while
    } else if (reply instanceof Reply.Released && released) {
      succeed(); // it had been handed over, and is released since
    } else {
      refuseAsked();
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
      fail(
          new LeaseIndeterminateException(
              "Lease '%s' was granted to '%s' too late to be believed in; it is being given back"
                  .formatted(claimant.name(), claimant.owner())));
      return;
    }
    if (releases.isEmpty() && !callers.isEmpty()) {
      claimant.hold(hold);
    } else {
      claimant.undo(token); // never alive: its release was called before, or nobody waits for it
    }
    node.deliver(hold, callers.stream().map(AcquireCaller::future).toList());
    callers.clear();
    end(Optional.empty());
  }

  void skipped() {
    fail(
        new LeaseUnavailableException(
            "'%s' lost its place in the queue of lease '%s': its session was not renewed for the ttl"
                .formatted(claimant.owner(), claimant.name())));
  }

  /**
   * The session has gone, and a place in a queue with it. An unanswered question learns of it by
   * its answer.
   */
  void sessionLost() {
    if (state == State.QUEUED) {
      fail(
          new LeaseIndeterminateException(
              "The session of '%s' ended while it waited for lease '%s'; should it have been granted, that ended with it"
                  .formatted(claimant.owner(), claimant.name())));
    }
  }

  /**
   * @param release called when this attempt has ended, with its failure if it has one
   */
  void releaseAfterwards(Consumer<Optional<LeaseException>> release) {
    releases.add(release);
    if (state == State.PAUSING) {
      refuseAsked();
    } else if (state == State.QUEUED) {
      leave();
    }
  }

  void callerGone() {
    callers.removeIf(AcquireCaller::isGone);
    if (callers.isEmpty() && state != State.LEAVING && state != State.ENDED) {
      withdraw();
      end(Optional.empty());
    }
  }

  /** Who has a place in the queue may have been handed the lease: only leaving tells. */
  void providerClosed() {
    closing = true;
    switch (state) {
      case QUEUED -> leave();
      case ASKING -> fail(closed(!withdrawQuestion()));
      case CONFIRMING, PAUSING -> fail(closed(false));
      case LEAVING, ENDED -> {}
    }
  }

  private void outOfTime() {
    switch (state) {
      case CONFIRMING -> {
        withdrawQuestion();
        fail(outOfTime("could not be confirmed"));
      }
      case PAUSING -> refuseAsked();
      case ASKING -> {
        boolean noEffect = withdraw();
        fail(
            noEffect
                ? outOfTime("could not be asked for")
                : new LeaseIndeterminateException(
                    "Lease '%s' was asked for by '%s', and no answer came within %s; should it be granted, it is given back"
                        .formatted(
                            claimant.name(),
                            claimant.owner(),
                            DurationText.of(node.requestTimeout()))));
      }
      case LEAVING ->
          fail(
              new LeaseIndeterminateException(
                  "'%s' is leaving the queue of lease '%s', and no answer came within %s; should it be granted, it is given back"
                      .formatted(
                          claimant.owner(),
                          claimant.name(),
                          DurationText.of(node.requestTimeout()))));
      case QUEUED, ENDED -> {}
    }
  }

  private LeaseUnavailableException outOfTime(String what) {
    return new LeaseUnavailableException(
        "Lease '%s' %s for '%s' within %s: no leader answered; check that a majority of the members runs and can be reached"
            .formatted(
                claimant.name(), what, claimant.owner(), DurationText.of(node.requestTimeout())));
  }

  private LeaseException closed(boolean mayHaveBeenApplied) {
    String message =
        "The provider was closed while '%s' was acquiring lease '%s'"
            .formatted(claimant.owner(), claimant.name());
    return mayHaveBeenApplied
        ? new LeaseIndeterminateException(message)
        : new LeaseUnavailableException(message);
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

  private void succeed() {
    answerAll(true, null);
  }

  private void refuse() {
    answerAll(false, null);
  }

  private void fail(LeaseException failure) {
    answerAll(null, failure);
  }

  private void answerAll(@Nullable Boolean result, @Nullable LeaseException failure) {
    callers.forEach(caller -> node.complete(caller.future(), result, failure));
    callers.clear();
    end(Optional.ofNullable(failure));
  }

  private void end(Optional<LeaseException> failure) {
    state = State.ENDED;
    cancelDeadline();
    cancelNextStep();
    node.pace().remove(settings.renewalInterval().toNanos());
    claimant.attemptEnded(this, () -> releases.forEach(release -> release.accept(failure)));
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel();
      deadline = null;
    }
  }

  private void cancelNextStep() {
    if (nextStep != null) {
      nextStep.cancel();
      nextStep = null;
    }
  }

  private record EarlyGrant(long acquisitionId, long token, long index) {}
}
