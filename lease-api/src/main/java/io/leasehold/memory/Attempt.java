package io.leasehold.memory;

import io.leasehold.LeaseException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.holder.Trust;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One way to a hold, shared by all calls of acquire made while it is under way: confirm what is
 * held, or ask, pause and ask again, or wait in the queue. Confined to the shared store's lock.
 */
final class Attempt {

  private enum Phase {
    /** A request is on its way. */
    ASKED,
    /** Another holder has it; the next try comes after the delay. */
    PAUSING,
    /** Has a place in the queue. */
    QUEUED,
    /** Over. */
    ENDED
  }

  private final Node node;
  private final Hold hold;
  private final LeaseSettings settings;
  private final long trustNanos;
  private final List<Caller> callers = new ArrayList<>();

  /** Releases that are to undo it. */
  private final List<CompletableFuture<Void>> releases = new ArrayList<>();

  /** Calls that came after an acquire after such a release: they have to wait for all this. */
  private final List<Runnable> followers = new ArrayList<>();

  private Phase phase = Phase.ASKED;
  private boolean released;
  private int triesLeft;
  private long acquisitionId;

  private Timer.Cancellable request = () -> {};
  private Timer.Cancellable pause = () -> {};

  Attempt(Node node, Hold hold, LeaseSettings settings) {
    this.node = node;
    this.hold = hold;
    this.settings = settings;
    this.trustNanos = Trust.nanosOf(settings);
    this.triesLeft = settings.acquireRetries();
  }

  // --- Callers --------------------------------------------------------------------------------

  /** One call of acquire. */
  private final class Caller {

    private final CompletableFuture<Boolean> answer;
    private final long waitsUntilNanos;
    private final boolean waits;
    private Timer.@Nullable Cancellable waitEnd;

    Caller(CompletableFuture<Boolean> answer, Duration maxWait) {
      this.answer = answer;
      this.waits = !maxWait.isZero();
      this.waitsUntilNanos = node.nanos() + saturatedNanos(maxWait);
    }

    void startWait() {
      long leftNanos = waitsUntilNanos - node.nanos();
      if (leftNanos <= 0) {
        endWait(this);
      } else if (waitEnd == null) {
        waitEnd = node.schedule(Duration.ofNanos(leftNanos), () -> endWait(this));
      }
    }

    void stopWait() {
      if (waitEnd != null) {
        waitEnd.cancel();
      }
    }
  }

  /** Whether a release has come that undoes it: later acquires have to follow it. */
  boolean isBeingUndone() {
    return released || !releases.isEmpty();
  }

  /** Whether calls wait for the end of this attempt. */
  boolean hasFollowers() {
    return !followers.isEmpty();
  }

  /** Runs a call once this attempt has ended and its releases are sent. */
  void follow(Runnable call) {
    followers.add(call);
  }

  /** Adds a call. */
  void join(CompletableFuture<Boolean> answer, Duration maxWait) {
    Caller caller = new Caller(answer, maxWait);
    callers.add(caller);
    if (phase == Phase.QUEUED) {
      startWaits();
    } else if (phase == Phase.PAUSING && caller.waits) {
      pause.cancel();
      ask();
    }
  }

  /** The caller has completed its stage itself: without callers the attempt is withdrawn. */
  void forget(CompletableFuture<Boolean> answer) {
    Optional<Caller> leaving =
        callers.stream().filter(caller -> caller.answer == answer).findFirst();
    if (leaving.isEmpty()) {
      return;
    }
    leaving.get().stopWait();
    callers.remove(leaving.get());
    if (callers.isEmpty()) {
      withdraw();
    }
  }

  private boolean somebodyWaits() {
    return callers.stream().anyMatch(caller -> caller.waits);
  }

  // --- Asking ---------------------------------------------------------------------------------

  /** Starts: with a confirmation if there is something to confirm. */
  void begin(Optional<Grant> held) {
    if (held.isPresent()) {
      confirm(held.get());
    } else {
      ask();
    }
  }

  private void confirm(Grant held) {
    request =
        node.send(
            () -> node.store().rules().confirm(settings.name(), node.session(), held.token()),
            confirmed -> confirmed(held, confirmed),
            Duration.ofNanos(trustNanos),
            this::unanswered);
  }

  private void confirmed(Grant held, boolean confirmed) {
    hold.noticeDeadline();
    if (confirmed && (released || hold.has(held))) {
      held.confirm();
      succeed(held);
    } else if (released || !releases.isEmpty()) {
      fail(unavailable("it was released while it was being acquired"));
    } else {
      ask();
    }
  }

  private void ask() {
    phase = Phase.ASKED;
    triesLeft--;
    acquisitionId = node.nextAcquisitionId();
    Claim claim =
        new Claim(node.session(), settings.owner(), settings.ttl().toNanos(), acquisitionId);
    boolean queued = somebodyWaits();
    request =
        node.send(
            () -> node.store().rules().acquire(settings.name(), claim, queued, settings.reclaim()),
            this::answered,
            Duration.ofNanos(trustNanos),
            this::unanswered);
  }

  private void unanswered() {
    fail(indeterminate("the store did not answer in time"));
  }

  private void answered(StoreReply reply) {
    if (reply instanceof StoreReply.Granted granted) {
      granted(granted.token());
    } else if (reply instanceof StoreReply.Queued) {
      queued();
    } else if (reply instanceof StoreReply.HeldByOther) {
      heldByOther();
    } else if (reply instanceof StoreReply.Refused refused) {
      fail(unavailable(refused.reason()));
    } else {
      throw new IllegalStateException("unknown reply: " + reply);
    }
  }

  private void granted(long token) {
    Grant granted = hold.granted(token, settings);
    if (granted == null) {
      fail(indeterminate("it was granted too late to be trusted, and given back"));
    } else {
      succeed(granted);
    }
  }

  private void queued() {
    phase = Phase.QUEUED;
    node.renewal().include(settings);
    if (releases.isEmpty()) {
      startWaits();
    } else {
      withdraw();
    }
  }

  private void heldByOther() {
    if (!releases.isEmpty() || (triesLeft <= 0 && !somebodyWaits())) {
      finish().refused();
      runFollowers();
    } else if (somebodyWaits()) {
      ask();
    } else {
      phase = Phase.PAUSING;
      pause = node.schedule(settings.acquireRetryDelay(), this::ask);
    }
  }

  // --- Waiting --------------------------------------------------------------------------------

  private void startWaits() {
    List.copyOf(callers).forEach(Caller::startWait);
  }

  /** One caller has waited long enough; the last one takes the place in the queue along. */
  private void endWait(Caller caller) {
    if (callers.size() == 1 && callers.contains(caller)) {
      withdraw();
    } else if (callers.remove(caller)) {
      node.later(() -> caller.answer.complete(false));
    }
  }

  /**
   * The queue has come to this attempt.
   *
   * @return false when it has nothing to do with it
   */
  boolean hearGranted(long itsAcquisitionId, long token) {
    if (phase != Phase.QUEUED || acquisitionId != itsAcquisitionId) {
      return false;
    }
    granted(token);
    return true;
  }

  void hearSkipped(long itsAcquisitionId) {
    if (phase == Phase.QUEUED && acquisitionId == itsAcquisitionId) {
      fail(unavailable("not renewed while waiting, so its place in the queue is lost"));
    }
  }

  /** Waiting is pointless once a grant could not be trusted any more. */
  void noticeDeadline() {
    if (phase == Phase.QUEUED && node.renewal().isPastDeadline(trustNanos)) {
      fail(indeterminate("the store was silent while waiting in the queue"));
    }
  }

  Optional<LeaseSettings> settingsInForce() {
    return phase == Phase.QUEUED ? Optional.of(settings) : Optional.empty();
  }

  // --- Ending ---------------------------------------------------------------------------------

  /** The hold that is being confirmed has been released. */
  void releasedMeanwhile() {
    released = true;
  }

  /** Ends with nothing held: at once while waiting, else after the answer that is on its way. */
  void undo(CompletableFuture<Void> done) {
    releases.add(done);
    if (phase != Phase.ASKED) {
      withdraw();
    }
  }

  private void succeed(Grant granted) {
    Answers answers = finish();
    answers.granted(() -> node.store().run(() -> hold.giveUp(granted)));
    if (!answers.releases().isEmpty()) {
      hold.release(granted, answers.releases());
    }
    runFollowers();
  }

  private void runFollowers() {
    List<Runnable> calls = List.copyOf(followers);
    followers.clear();
    calls.forEach(Runnable::run);
  }

  /** Takes back what was asked for, and then says that another holder has it. */
  private void withdraw() {
    boolean queued = phase == Phase.QUEUED;
    Answers answers = finish();
    if (queued) {
      leaveQueue(answers);
    } else {
      answers.refused();
    }
    runFollowers();
  }

  private void leaveQueue(Answers answers) {
    Timer.Cancellable unusedWithdrawal =
        node.send(
            () -> {
              node.store().rules().leave(settings.name(), node.session(), acquisitionId);
              return true;
            },
            left -> answers.refused(),
            null,
            () -> answers.failed(closedMeanwhile()));
    if (!answers.areTold()) {
      // The request itself is repeated until it is answered: no place in a queue stays behind.
      Timer.Cancellable unusedLimit =
          node.schedule(
              Duration.ofNanos(trustNanos),
              () -> answers.failed(indeterminate("the store did not answer in time")));
    }
  }

  /** Ends without an answer; a place in the queue is given up as soon as the store hears of it. */
  private void fail(LeaseException why) {
    boolean queued = phase == Phase.QUEUED;
    Answers answers = finish();
    answers.failed(why);
    if (queued) {
      leaveQueue(answers);
    }
    runFollowers();
  }

  /** The provider is being closed. */
  void close() {
    fail(closedMeanwhile());
  }

  private Answers finish() {
    phase = Phase.ENDED;
    request.cancel();
    pause.cancel();
    callers.forEach(Caller::stopWait);
    Answers answers =
        new Answers(node, callers.stream().map(caller -> caller.answer).toList(), releases);
    callers.clear();
    releases.clear();
    hold.attemptEnded(this);
    return answers;
  }

  private LeaseException indeterminate(String why) {
    return new LeaseIndeterminateException("lease " + settings.name() + ": " + why);
  }

  private LeaseException unavailable(String why) {
    return new LeaseUnavailableException("lease " + settings.name() + ": " + why);
  }

  private LeaseException closedMeanwhile() {
    return unavailable("the provider was closed meanwhile");
  }

  private static long saturatedNanos(Duration duration) {
    long centuryNanos = Duration.ofDays(36_500).toNanos();
    return duration.compareTo(Duration.ofDays(36_500)) > 0 ? centuryNanos : duration.toNanos();
  }
}
