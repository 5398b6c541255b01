package io.leasehold.raft;

import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A timer on one daemon thread, {@code lease-timer}, however many tasks there are. Safe for many
 * threads.
 */
final class ExecutorTimer implements Timer, AutoCloseable {

  private final ScheduledThreadPoolExecutor executor;

  ExecutorTimer(String node) {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "lease-timer-" + node);
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    try {
      ScheduledFuture<?> scheduled = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> scheduled.cancel(false);
    } catch (RejectedExecutionException e) {
      return () -> {}; // closed: nothing is due any more
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
