package io.leasehold.harness.chaos.workload;

import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.singleton.Singleton;
import io.leasehold.singleton.Singleton.State;
import io.leasehold.singleton.SingletonTask;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * This node's part of a singleton, which now and then steps down, whatever it is doing. Confined to
 * the workload's timer.
 */
final class SingletonWork {

  /** Short, so that there is much to judge. */
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

  private final Singleton singleton;
  private final Timer timer;
  private final Mix mix;
  private boolean stopped;

  /** Competes from now on. */
  SingletonWork(
      LeaseProvider leases,
      LeaseSettings settings,
      SingletonTask task,
      RandomGenerator random,
      Timer timer,
      Mix mix) {
    this.timer = timer;
    this.mix = mix;
    this.singleton =
        Singleton.builder(leases, settings)
            .retryInterval(RETRY_INTERVAL)
            .timer(timer)
            .random(random)
            .start(task);
  }

  void start() {
    var unused = timer.schedule(mix.untilStepDown(), this::stepDown);
  }

  /** Whether the task runs here, as far as is known; on any thread. */
  boolean isRunning() {
    return singleton.state() == State.RUNNING;
  }

  /** Ends the task and gives up the lease. */
  void stop() {
    stopped = true;
    var unused = singleton.shutdown();
  }

  private void stepDown() {
    if (!stopped) {
      var unused = singleton.stepDown(mix.cooldown());
      start();
    }
  }
}
