package io.leasehold.time;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time that is turned by hand, for tests: a ticker and a timer whose tasks run on the thread that
 * advances it, one at a time, in the order they fall due; of those due at the same moment, in the
 * order they were scheduled. A task sees the time at which it was due, and may schedule others, or
 * advance time itself. Safe for many threads; one advances at a time.
 */
public final class VirtualTime implements Ticker, Timer {

  private final Object lock = new Object();
  private final Object advancing = new Object();
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::number));
  private volatile long nowNanos;
  private long scheduled;

  /** Returns the nanoseconds it has been advanced by; starts at 0. Takes no lock. */
  @Override
  public long nanos() {
    return nowNanos;
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable work) {
    synchronized (lock) {
      Task task =
          new Task(Math.addExact(nowNanos, Math.max(0, delay.toNanos())), scheduled++, work);
      tasks.add(task);
      return () -> {
        synchronized (lock) {
          tasks.remove(task);
        }
      };
    }
  }

  /**
   * Moves time forward, running what falls due on the way at the moment it is due. A task that
   * throws ends the call, with the time at which that task was due; the next call goes on with the
   * rest.
   */
  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("time only moves forward: " + duration);
    }
    synchronized (advancing) {
      long endNanos = nanos() + duration.toNanos();
      for (Runnable work = nextDue(endNanos); work != null; work = nextDue(endNanos)) {
        work.run();
      }
    }
  }

  /** Runs what is due now without moving time. */
  public void runDue() {
    advance(Duration.ZERO);
  }

  private @Nullable Runnable nextDue(long endNanos) {
    synchronized (lock) {
      Task task = tasks.peek();
      if (task == null || task.dueNanos() > endNanos) {
        // A task may have advanced time past the end of the call that runs it.
        nowNanos = Math.max(nowNanos, endNanos);
        return null;
      }
      tasks.remove();
      nowNanos = Math.max(nowNanos, task.dueNanos());
      return task.work();
    }
  }

  private record Task(long dueNanos, long number, Runnable work) {

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }
}
