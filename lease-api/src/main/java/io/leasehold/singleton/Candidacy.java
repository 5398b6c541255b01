package io.leasehold.singleton;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseProvider;
import io.leasehold.Subscription;
import io.leasehold.singleton.Singleton.State;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a singleton does and in which order: all that it learns, from the lease, the task, the timer
 * and its user, takes its turn. Methods are for a turn unless they say otherwise.
 */
final class Candidacy {

  /** Long enough to be cheap; the place in the queue is taken again after it. */
  private static final Duration QUEUE_WAIT = Duration.ofHours(1);

  /** A timer counts in nanoseconds. */
  private static final Duration COOLDOWN_MAX = Duration.ofDays(36_500);

  private final Lease lease;
  private final SingletonLog log;
  private final AsyncSingletonTask task;
  private final Timer timer;
  private final RetryPause retryPause;
  private final Runnable atEnd;
  private final Turns turns = new Turns();
  private final List<Subscription> subscriptions = new ArrayList<>();
  private final List<CompletableFuture<Void>> steppedDown = new ArrayList<>();
  private final CompletableFuture<Void> workEnded = new CompletableFuture<>();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  private volatile State state = State.COMPETING;
  private volatile @Nullable Term term;
  private Timer.Cancellable alarm = () -> {};
  private Duration rest = Duration.ZERO;
  private long attempts;
  private long lostToken = -1;
  private boolean closing;

  /**
   * @param timer for pauses and looks
   * @param atEnd is run once, when it is closed
   */
  Candidacy(
      Lease lease, AsyncSingletonTask task, Timer timer, RetryPause retryPause, Runnable atEnd) {
    this.lease = lease;
    this.log = new SingletonLog(lease.settings().name());
    this.task = task;
    this.timer = timer;
    this.retryPause = retryPause;
    this.atEnd = atEnd;
  }

  // --- for any thread

  State state() {
    return state;
  }

  /** Returns what runs; null when nothing does. */
  @Nullable Term term() {
    return term;
  }

  void begin(LeaseProvider provider) {
    turns.take(
        () -> {
          subscriptions.add(lease.onLost(lost -> turns.take(() -> lost(lost))));
          subscriptions.add(provider.beforeClose(this::stopWork));
          compete();
        });
  }

  CompletionStage<Void> stepDown(Duration cooldown) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Duration bounded = cooldown.compareTo(COOLDOWN_MAX) > 0 ? COOLDOWN_MAX : cooldown;
    turns.take(() -> stepDown(bounded, done));
    return done.minimalCompletionStage();
  }

  CompletionStage<Void> shutdown() {
    turns.take(this::close);
    return closed.minimalCompletionStage();
  }

  /** Shuts down; completes when nothing runs any more: the provider then frees the lease itself. */
  private CompletionStage<Void> stopWork() {
    turns.take(this::close);
    return workEnded.minimalCompletionStage();
  }

  /** Whether it has been shut down, and its task has ended. */
  boolean hasWorkEnded() {
    return workEnded.isDone();
  }

  // --- the lease

  private void compete() {
    rest = Duration.ZERO;
    state = State.COMPETING;
    long attempt = ++attempts;
    lease
        .acquire(QUEUE_WAIT)
        .whenComplete((granted, failure) -> turns.take(() -> answered(attempt, granted, failure)));
  }

  private void answered(long attempt, @Nullable Boolean granted, @Nullable Throwable failure) {
    if (state != State.COMPETING || attempt != attempts) {
      return; // withdrawn by a release, which also undoes what was granted
    }
    if (granted == null) {
      log.cannotCompete(failure);
      rest(retryPause.next());
    } else if (granted) {
      granted();
    } else {
      compete();
    }
  }

  private void granted() {
    long token = lease.fencingToken().orElse(lostToken);
    if (token <= lostToken) {
      compete(); // lost before anybody looked
      return;
    }
    Term begun = new Term(lease, token);
    term = begun;
    state = State.RUNNING;
    log.runs(token);
    CompletionStage<?> run;
    try {
      run = task.start(begun);
    } catch (Exception | Error failure) {
      run = CompletableFuture.failedFuture(failure);
    }
    if (run == null) {
      run = CompletableFuture.failedFuture(new NullPointerException("The task returned no stage"));
    }
    run.whenComplete((done, failure) -> turns.take(() -> ended(begun, failure)));
    lookAgain(begun);
  }

  private void lost(LeaseLost lost) {
    lostToken = Math.max(lostToken, lost.fencingToken());
    Term current = term;
    if (current != null && current.fencingToken() == lost.fencingToken()) {
      cancel(current, lost.message());
    }
  }

  /**
   * Finds out what nobody is told: that the hold was released through another handle, or by a
   * provider that does not wait.
   */
  private void lookAgain(Term running) {
    alarm =
        timer.schedule(
            lease.settings().renewalInterval(),
            () ->
                turns.take(
                    () -> {
                      if (term == running && state == State.RUNNING) {
                        if (running.isHeld()) {
                          lookAgain(running);
                        } else {
                          cancel(running, "The lease is not held any more");
                        }
                      }
                    }));
  }

  // --- the task

  private void cancel(Term current, String why) {
    if (state == State.RUNNING) {
      alarm.cancel();
      state = State.STOPPING;
      log.stops(why);
      current.cancel();
    }
  }

  private void ended(Term over, @Nullable Throwable failure) {
    alarm.cancel();
    if (state == State.RUNNING) {
      rest = retryPause.next();
      log.hasEnded(failure);
    }
    over.cancel();
    term = null;
    release();
  }

  /** Gives up whatever is held, or asked for; nothing runs. */
  private void release() {
    state = State.RELEASING;
    tellWorkEnded();
    lease
        .release()
        .whenComplete(
            (done, failure) ->
                turns.take(
                    () -> {
                      if (failure != null) {
                        log.mayNotBeReleased(failure);
                      }
                      goOn();
                    }));
  }

  private void tellWorkEnded() {
    if (closing) {
      turns.leave(() -> workEnded.complete(null));
    }
  }

  // --- what comes next

  private void goOn() {
    if (closing) {
      tellWorkEnded();
      state = State.CLOSED;
      subscriptions.forEach(Subscription::close);
      atEnd.run();
      turns.leave(() -> closed.complete(null));
    } else if (rest.isZero()) {
      compete();
    } else {
      rest(rest);
    }
    answerStepDowns();
  }

  private void answerStepDowns() {
    steppedDown.forEach(done -> turns.leave(() -> done.complete(null)));
    steppedDown.clear();
  }

  private void rest(Duration pause) {
    rest = pause;
    state = State.RESTING;
    long attempt = ++attempts;
    alarm =
        timer.schedule(
            pause,
            () ->
                turns.take(
                    () -> {
                      if (state == State.RESTING && attempt == attempts) {
                        compete();
                      }
                    }));
  }

  private void stepDown(Duration cooldown, CompletableFuture<Void> done) {
    steppedDown.add(done);
    Duration longer = cooldown.compareTo(rest) > 0 ? cooldown : rest;
    switch (state) {
      case CLOSED -> answerStepDowns();
      case RESTING -> {
        alarm.cancel();
        rest(longer);
        answerStepDowns();
      }
      default -> {
        leave("It steps down for " + cooldown);
        rest = longer;
      }
    }
  }

  private void close() {
    if (closing) {
      return;
    }
    closing = true;
    switch (state) {
      case RESTING -> {
        alarm.cancel();
        goOn();
      }
      case COMPETING -> {
        // Nothing is held: whatever is asked for is undone, when that can be.
        CompletionStage<Void> unusedRelease = lease.release();
        goOn();
      }
      case RELEASING -> tellWorkEnded();
      default -> leave("It is closed");
    }
  }

  private void leave(String why) {
    Term current = term;
    if (state == State.COMPETING) {
      release();
    } else if (current != null) {
      cancel(current, why);
    }
  }
}
