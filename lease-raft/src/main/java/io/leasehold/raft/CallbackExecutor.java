package io.leasehold.raft;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where users' handlers and completions run unless they brought an executor of their own: daemon
 * threads that come when all others are busy, since user code may block, and go when idle. At most
 * {@value #THREADS_MAX}; what comes beyond waits its turn. Safe for many threads.
 */
final class CallbackExecutor implements Executor, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CallbackExecutor.class);
  private static final int THREADS_MAX = 256;
  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

  private final Queue<Runnable> overflow = new ConcurrentLinkedQueue<>();
  private final ThreadLocal<Boolean> isMine = ThreadLocal.withInitial(() -> false);
  private final ThreadPoolExecutor pool;

  CallbackExecutor(String node) {
    AtomicInteger threads = new AtomicInteger();
    pool =
        new ThreadPoolExecutor(
            0,
            THREADS_MAX,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread =
                  new Thread(task, "lease-callbacks-" + node + "-" + threads.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            },
            this::queue);
  }

  @Override
  public void execute(Runnable task) {
    pool.execute(() -> runAndHelp(task));
  }

  private void queue(Runnable task, ThreadPoolExecutor full) {
    if (full.isShutdown()) {
      throw new RejectedExecutionException("closed");
    }
    overflow.add(task);
  }

  private void runAndHelp(Runnable task) {
    isMine.set(true);
    run(task);
    for (Runnable next = overflow.poll(); next != null; next = overflow.poll()) {
      run(next);
    }
  }

  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOG.warn("A callback failed", e);
    }
  }

  /** Lets what has begun finish for a moment, unless this is called by a callback itself. */
  @Override
  public void close() {
    pool.shutdown();
    if (isMine.get()) {
      return;
    }
    try {
      if (!pool.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.info("Callbacks still run at shutdown; they are left to finish");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
