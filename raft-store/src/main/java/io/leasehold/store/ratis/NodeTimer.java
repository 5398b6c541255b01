package io.leasehold.store.ratis;

import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's one thread for whatever has to happen later, or elsewhere: one task at a time. Safe for
 * many threads. After {@link #close} nothing runs any more, except what is {@link #execute
 * executed} on the caller's own thread.
 */
final class NodeTimer implements Timer, Executor, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NodeTimer.class);

  private final ScheduledThreadPoolExecutor thread;

  NodeTimer(String name) {
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread created = new Thread(task, name);
              created.setDaemon(true);
              return created;
            });
    thread.setRemoveOnCancelPolicy(true);
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    try {
      Future<?> scheduled =
          thread.schedule(guarded(task), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
      return () -> {
        boolean unused = scheduled.cancel(false);
      };
    } catch (RejectedExecutionException e) {
      return () -> {};
    }
  }

  /** Runs a task again and again, with this pause between. */
  void repeat(Duration pause, Runnable task) {
    var unused =
        thread.scheduleWithFixedDelay(
            guarded(task), pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void execute(Runnable task) {
    try {
      thread.execute(guarded(task));
    } catch (RejectedExecutionException e) {
      task.run();
    }
  }

  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        LOG.error("a task of the node has failed", e);
      }
    };
  }

  /** Drops what is to happen later and waits a moment for what is happening. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      boolean unused = thread.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
