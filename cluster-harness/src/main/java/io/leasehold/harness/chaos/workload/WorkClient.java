package io.leasehold.harness.chaos.workload;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One client of one lease: acquires, holds, now and then confirms or writes, releases, thinks, and
 * starts again. Stamps are taken where things happen, on whatever thread that is; everything else
 * is confined to the workload's timer.
 */
final class WorkClient {

  private enum State {
    IDLE,
    ACQUIRING,
    HOLDING,
    CONFIRMING,
    RELEASING
  }

  private final Handle handle;
  private final Lease lease;
  private final Duration ttl;
  private final Recorder recorder;
  private final Timer timer;
  private final Mix mix;
  private final GuardedCounter counter;
  private State state = State.IDLE;
  private boolean stopped;

  /** Grows with every hold and every end of one, so that what was planned for an older is void. */
  private int epoch;

  WorkClient(
      Handle handle,
      Lease lease,
      Duration ttl,
      Recorder recorder,
      Timer timer,
      Mix mix,
      GuardedCounter counter) {
    this.handle = handle;
    this.lease = lease;
    this.ttl = ttl;
    this.recorder = recorder;
    this.timer = timer;
    this.mix = mix;
    this.counter = counter;
  }

  void start() {
    var unused = lease.onLost(this::lost); // For as long as the process lives.
    later(mix.think(), this::acquire);
  }

  /** Acquires nothing any more and gives back what it has. */
  void stop() {
    stopped = true;
    if (isHolding()) {
      release();
    }
  }

  private boolean isHolding() {
    return state == State.HOLDING || state == State.CONFIRMING;
  }

  private void acquire() {
    if (stopped || state != State.IDLE) {
      return;
    }
    state = State.ACQUIRING;
    call(mix.wait(ttl), this::acquired);
  }

  /** Makes an acquire and records both its ends. */
  private void call(Duration wait, Consumer<Boolean> then) {
    long call = recorder.nextCall();
    recorder.write(Invoke.acquire(recorder.now(), call, handle, ttl.toNanos(), wait.toNanos()));
    CompletionStage<Boolean> stage;
    try {
      stage = wait.isZero() ? lease.acquire() : lease.acquire(wait);
    } catch (RuntimeException e) {
      recorder.write(Return.failed(recorder.now(), call, true, e.toString()));
      return; // The provider is closed: there is nothing more to do here.
    }
    long handedAt = recorder.now();
    var unused =
        stage.whenComplete(
            (granted, failure) -> {
              recorder.write(answer(call, granted, failure).handedAt(handedAt));
              later(Duration.ZERO, () -> then.accept(failure == null && granted));
            });
  }

  private Return answer(long call, @Nullable Boolean granted, @Nullable Throwable failure) {
    if (failure != null) {
      return failed(call, failure);
    }
    if (granted == null || !granted) {
      return Return.answered(recorder.now(), call, false);
    }
    long token = lease.fencingToken().orElse(0);
    return Return.granted(recorder.now(), call, token);
  }

  private Return failed(long call, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return Return.failed(
        recorder.now(), call, cause instanceof LeaseUnavailableException, cause.toString());
  }

  private void acquired(boolean granted) {
    epoch++;
    if (!granted) {
      think(mix.think());
      return;
    }
    state = State.HOLDING;
    if (stopped) {
      release();
      return;
    }
    int held = epoch;
    Duration hold = mix.hold(ttl);
    if (mix.confirms()) {
      later(hold.dividedBy(2), () -> ifStill(held, this::confirm));
    }
    later(hold, () -> ifStill(held, this::finish));
  }

  private void confirm() {
    int held = epoch;
    state = State.CONFIRMING;
    call(Duration.ZERO, granted -> ifStill(held, () -> confirmed(granted)));
  }

  private void confirmed(boolean granted) {
    if (granted) {
      state = State.HOLDING;
    } else {
      epoch++;
      think(mix.think());
    }
  }

  private void finish() {
    if (mix.writes()) {
      counter.write(handle, lease, recorder);
    }
    release();
  }

  private void release() {
    epoch++;
    state = State.RELEASING;
    sample();
    long call = recorder.nextCall();
    recorder.write(Invoke.release(recorder.now(), call, handle));
    CompletionStage<Void> stage = lease.release();
    long handedAt = recorder.now();
    sample();
    var unused =
        stage.whenComplete(
            (done, failure) -> {
              Return end =
                  failure == null
                      ? Return.answered(recorder.now(), call, true)
                      : failed(call, failure);
              recorder.write(end.handedAt(handedAt));
              later(Duration.ZERO, () -> think(mix.think()));
            });
  }

  private void think(Duration pause) {
    state = State.IDLE;
    later(pause, this::acquire);
  }

  /** At the moments that matter most an answer is recorded whatever the sampler does. */
  private void sample() {
    Sample sample = Sampler.ask(recorder, handle, lease);
    if (sample != null) {
      recorder.write(sample);
    }
  }

  private void lost(LeaseLost loss) {
    recorder.write(Lost.of(handle, recorder.now(), loss.fencingToken(), loss.reason()));
    sample();
    later(Duration.ZERO, this::comeBack);
  }

  /** A confirming acquire that is under way finds the loss itself and answers for it. */
  private void comeBack() {
    if (state == State.HOLDING) {
      epoch++;
      think(mix.thinkAfterLoss());
    }
  }

  private void ifStill(int expected, Runnable action) {
    if (epoch == expected) {
      action.run();
    }
  }

  private void later(Duration delay, Runnable action) {
    var unused = timer.schedule(delay, action);
  }
}
