package io.leasehold.store.ratis;

import io.leasehold.time.Ticker;
import java.time.Duration;

/**
 * When the next snapshot is due: after so much log, which it lets go, or after so long, if anything
 * has been logged since; and how old the newest one is. The log counts on the thread that applies;
 * the rest is safe for many.
 */
final class SnapshotSchedule {

  private final long logBytesMax;
  private final long intervalNanos;
  private final Ticker ticker;

  private volatile long logged;
  private volatile long loggedBefore;
  private volatile long beganNanos;
  private volatile long newestNanos;
  private volatile Taken taken = new Taken(0, Duration.ZERO);

  /**
   * Those that have been taken.
   *
   * @param took how long they took together
   */
  record Taken(long count, Duration took) {}

  /**
   * @param logBytesMax after so many bytes of entries
   * @param interval after so long, however few
   */
  SnapshotSchedule(long logBytesMax, Duration interval, Ticker ticker) {
    this.logBytesMax = logBytesMax;
    this.intervalNanos = interval.toNanos();
    this.ticker = ticker;
    this.beganNanos = ticker.nanos();
    this.newestNanos = ticker.nanos();
  }

  /** So many bytes of the log have been applied. On the thread that applies. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  void applied(long bytes) {
    logged += bytes;
  }

  /** Returns whether one is due. */
  boolean isDue() {
    long since = logged - loggedBefore;
    return since >= logBytesMax || (since > 0 && ticker.nanos() - beganNanos >= intervalNanos);
  }

  /** One is begun: what is applied from now on is not in it. */
  void begun() {
    loggedBefore = logged;
    beganNanos = ticker.nanos();
  }

  /** The one that was begun is there. One at a time is made. */
  void taken() {
    long now = ticker.nanos();
    newestNanos = now;
    taken = new Taken(taken.count() + 1, taken.took().plusNanos(now - beganNanos));
  }

  /** The leader has sent one. */
  void installed() {
    newestNanos = ticker.nanos();
  }

  /** Returns how old the newest one is; one from before the start, as old as that is. */
  Duration age() {
    return Duration.ofNanos(ticker.nanos() - newestNanos);
  }

  /** Returns which have been taken since the start. */
  Taken sinceStart() {
    return taken;
  }
}
