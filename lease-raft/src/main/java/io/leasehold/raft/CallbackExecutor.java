package io.leasehold.raft;

import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where users' handlers and completions run unless they brought an executor of their own: daemon
 * threads that come when all others are busy, since user code may block, and go when idle. At most
 * {@value #THREADS_MAX}; what comes beyond, or when the system has no thread left, waits its turn.
 * Safe for many threads.
 */
final class CallbackExecutor implements Executor, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CallbackExecutor.class);
  private static final int THREADS_MAX = 256;
  private static final Duration IDLE = Duration.ofSeconds(10);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
  private static final Duration RETRY = Duration.ofMillis(50);

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean waking = new AtomicBoolean();
  private final AtomicBoolean retrying = new AtomicBoolean();
  private final ThreadLocal<Boolean> isMine = ThreadLocal.withInitial(() -> false);
  private final Timer timer;
  private final ThreadPoolExecutor pool;

  /**
   * @param node names the threads
   * @param timer looks after what had to wait
   */
  CallbackExecutor(String node, Timer timer) {
    this(
        timer,
        new ThreadPoolExecutor(
            0,
            THREADS_MAX,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new SynchronousQueue<>(),
            threads(node)));
  }

  /**
   * @param pool refuses what it has no thread for
   */
  CallbackExecutor(Timer timer, ThreadPoolExecutor pool) {
    this.timer = timer;
    this.pool = pool;
  }

  private static ThreadFactory threads(String node) {
    AtomicInteger threads = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, "lease-callbacks-" + node + "-" + threads.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public void execute(Runnable task) {
    if (pool.isShutdown()) {
      throw new RejectedExecutionException("this node's callbacks are closed");
    }
    tasks.add(task);
    wakeOne();
  }

  /**
   * Has one more thread look for tasks, unless one is about to: each wakes the next before it runs
   * what it has found, so that as many come as there is work for, and none that would find nothing.
   */
  private void wakeOne() {
    if (!waking.compareAndSet(false, true)) {
      return;
    }
    boolean begun = false;
    try {
      begun = begin();
    } finally {
      if (!begun) {
        waking.set(false);
      }
    }
    if (!begun && pool.isShutdown()) {
      drain(); // closed in between: others may have left their tasks to the one that did not begin
    } else if (!begun) {
      retryLater();
    }
  }

  /** Returns whether there was a thread for it. */
  private boolean begin() {
    try {
      pool.execute(this::work);
      return true;
    } catch (RejectedExecutionException e) {
      return false; // all are busy, and will look for more when they have done
    } catch (OutOfMemoryError e) {
      LOG.warn("The system has no thread for a callback, which waits until it has", e);
      return false;
    }
  }

  /** For when the last thread had looked for more to do just before there was more. */
  private void retryLater() {
    if (!pool.isShutdown() && retrying.compareAndSet(false, true)) {
      Timer.Cancellable unused = timer.schedule(RETRY, this::retry);
    }
  }

  private void retry() {
    retrying.set(false);
    if (!tasks.isEmpty()) {
      wakeOne();
    }
  }

  private void work() {
    waking.set(false); // before looking: who comes from now on wakes another
    isMine.set(true);
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      if (!tasks.isEmpty()) {
        wakeOne();
      }
      run(task);
    }
  }

  private void drain() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      run(task);
    }
  }

  /** Runs users' code, which may throw anything. */
  static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
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
