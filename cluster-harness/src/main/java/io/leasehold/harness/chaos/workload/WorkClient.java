package io.leasehold.harness.chaos.workload;

import io.leasehold.harness.check.history.HistoryEvent.Sample;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One client of one lease: acquires, holds, now and then confirms or writes, releases, thinks, and
 * starts again. Confined to the workload's timer, but for what is recorded where it happens.
 */
final class WorkClient {

  private enum State {
    IDLE,
    ACQUIRING,
    HOLDING,
    CONFIRMING,
    RELEASING
  }

  private final RecordedLease lease;
  private final Duration ttl;
  private final Recorder recorder;
  private final Timer timer;
  private final Mix mix;
  private final GuardedCounter counter;
  private State state = State.IDLE;
  private boolean stopped;

  /** Grows with every hold and every end of one, so that what was planned for an older is void. */
  private int epoch;

  WorkClient(RecordedLease lease, Recorder recorder, Timer timer, Mix mix, GuardedCounter counter) {
    this.lease = lease;
    this.ttl = lease.settings().ttl();
    this.recorder = recorder;
    this.timer = timer;
    this.mix = mix;
    this.counter = counter;
  }

  void start() {
    var unused = lease.onLost(loss -> lost()); // For as long as the process lives.
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

  private void call(Duration wait, Consumer<Boolean> then) {
    CompletionStage<Boolean> stage;
    try {
      stage = lease.acquire(wait);
    } catch (RuntimeException e) {
      return; // The provider is closed: there is nothing more to do here.
    }
    var unused =
        stage.whenComplete(
            (granted, failure) ->
                later(Duration.ZERO, () -> then.accept(failure == null && granted)));
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
      counter.write(lease.handle(), lease, recorder);
    }
    release();
  }

  private void release() {
    epoch++;
    state = State.RELEASING;
    sample();
    CompletionStage<Void> stage = lease.release();
    sample();
    var unused =
        stage.whenComplete((done, failure) -> later(Duration.ZERO, () -> think(mix.think())));
  }

  private void think(Duration pause) {
    state = State.IDLE;
    later(pause, this::acquire);
  }

  /** At the moments that matter most an answer is recorded whatever the sampler does. */
  private void sample() {
    Sample sample = Sampler.ask(recorder, lease.handle(), lease);
    if (sample != null) {
      recorder.write(sample);
    }
  }

  private void lost() {
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
