package io.leasehold.harness.chaos.workload;

import io.leasehold.time.ExecutorTimer;
import io.leasehold.time.Timer;
import java.time.Duration;

/** A timer whose tasks must not fail: a workload that stops in silence would judge nothing. */
final class WorkTimer implements Timer {

  private final Timer timer;

  WorkTimer(String name) {
    timer = new ExecutorTimer(name);
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    return timer.schedule(delay, () -> runOrEnd(task));
  }

  /** Runs a task again and again, each time so long after the last; never to catch up. */
  void repeat(Duration pause, Runnable task) {
    var unused =
        schedule(
            pause,
            () -> {
              task.run();
              repeat(pause, task);
            });
  }

  /** A task that fails ends the process. */
  private static void runOrEnd(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(4);
    }
  }
}
