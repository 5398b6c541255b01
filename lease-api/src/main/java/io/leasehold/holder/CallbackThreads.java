package io.leasehold.holder;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Daemon threads for users' code in real time, as many as are blocked in it and one. Safe for many
 * threads.
 */
public final class CallbackThreads implements Executor, AutoCloseable {

  private static final Duration IDLE = Duration.ofSeconds(5);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
  private static final String NAME = "lease-callbacks";

  private final ThreadPoolExecutor pool =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE.toNanos(),
          TimeUnit.NANOSECONDS,
          new SynchronousQueue<>(),
          CallbackThreads::newThread);

  private static Thread newThread(Runnable work) {
    Thread thread = new CallbackThread(work);
    thread.setDaemon(true);
    return thread;
  }

  private static final class CallbackThread extends Thread {

    CallbackThread(Runnable work) {
      super(work, NAME);
    }
  }

  @Override
  public void execute(Runnable callback) {
    try {
      pool.execute(callback);
    } catch (RejectedExecutionException closed) {
      // A call that came after the end is still answered.
      newThread(callback).start();
    }
  }

  /** Lets the callbacks under way end, within a limit, unless it is one of them that closes. */
  @Override
  public void close() {
    pool.shutdown();
    if (Thread.currentThread() instanceof CallbackThread) {
      return;
    }
    try {
      boolean unusedEnded = pool.awaitTermination(CLOSE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
