package io.leasehold.harness.chaos.workload;

import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One daemon thread that runs tasks later, and a round again and again. */
final class WorkTimer implements Timer {

  private final ScheduledThreadPoolExecutor executor;

  WorkTimer(String name) {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    try {
      Future<?> scheduled = executor.schedule(loud(task), delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> scheduled.cancel(false);
    } catch (RejectedExecutionException e) {
      return () -> {}; // The process is about to end.
    }
  }

  /** Runs a task again and again, each time so long after the last; never to catch up. */
  void repeat(Duration pause, Runnable task) {
    var unused =
        executor.scheduleWithFixedDelay(
            loud(task), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** A task that fails ends the process: a workload that stops in silence would judge nothing. */
  private static Runnable loud(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(4);
      }
    };
  }
}
