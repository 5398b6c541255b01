package io.leasehold.bench.load;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The time during which callers work, and the part of it that counts. Safe for many threads.
 *
 * <p>The first fault that a caller did not expect ends it, and is thrown to whoever opened it.
 */
final class Window {

  private final CountDownLatch faulty = new CountDownLatch(1);
  private final AtomicReference<Throwable> fault = new AtomicReference<>();
  private volatile boolean measuring;
  private volatile boolean over;

  /** Whether what a caller does now counts. */
  boolean isMeasuring() {
    return measuring;
  }

  /** Whether callers have to stop. */
  boolean isOver() {
    return over;
  }

  void fail(Throwable unexpected) {
    fault.compareAndSet(null, unexpected);
    over = true;
    faulty.countDown();
  }

  /**
   * Lets the callers, who work already, warm up, measures them, and tells them to stop.
   *
   * @param pids the processes whose CPU is counted
   */
  Span measure(Duration warmUp, Duration duration, List<Long> pids) {
    pass(warmUp);
    double cpuBefore = OsProcess.cpuSeconds(pids);
    long start = System.nanoTime();
    measuring = true;
    pass(duration);
    measuring = false;
    double seconds = (System.nanoTime() - start) / 1e9;
    double cpu = OsProcess.cpuSeconds(pids) - cpuBefore;
    over = true;
    return new Span(seconds, cpu);
  }

  private void pass(Duration time) {
    try {
      boolean unused = faulty.await(time.toNanos(), TimeUnit.NANOSECONDS);
      requireNoFault();
    } catch (InterruptedException e) {
      over = true;
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }

  /** Throws the fault of a caller, if there was one: some come after the time was over. */
  void requireNoFault() {
    Throwable first = fault.get();
    if (first != null) {
      throw new IllegalStateException("a caller failed: " + first, first);
    }
  }

  /** How long was measured, and how long the processes ran on a CPU meanwhile. */
  record Span(double seconds, double cpuSeconds) {}
}
