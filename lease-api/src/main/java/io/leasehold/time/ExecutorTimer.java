package io.leasehold.time;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Real time: runs tasks on one daemon thread of its own. A task should be short, for the others
 * wait; one that throws is logged. Safe for many threads. After {@link #close()} nothing runs any
 * more, and what is scheduled then is dropped.
 */
public final class ExecutorTimer implements Timer, AutoCloseable {

  private static final System.Logger LOGGER = System.getLogger(ExecutorTimer.class.getName());

  private final ScheduledThreadPoolExecutor executor;

  /**
   * @param threadName the name of its thread
   */
  public ExecutorTimer(String threadName) {
    requireNonNull(threadName, "threadName");
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, threadName);
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    try {
      ScheduledFuture<?> future =
          executor.schedule(
              () -> runLogged(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
      return () -> future.cancel(false);
    } catch (RejectedExecutionException closed) {
      return () -> {};
    }
  }

  /** Drops what has not begun and ends the thread; a task under way is not awaited. */
  @Override
  public void close() {
    executor.shutdownNow();
  }

  private static void runLogged(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error failure) {
      LOGGER.log(System.Logger.Level.ERROR, "a timed task failed", failure);
    }
  }
}
