package io.leasehold.store.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Lease time as this node tells it while it leads. Safe for many threads.
 *
 * <p>In each term it starts at what the table's lease time is once every earlier entry has been
 * applied, and from there adds only the time that this node's own monotonic clock has measured
 * since. So time without a leader does not count, and no two clocks are ever compared
 * (CORRECTNESS.md, P1 and lemma 1). What it told in an earlier term is never used again: it may lie
 * above what the leaders between have told.
 *
 * <p>One step adds at most {@link #STEP_MAX}: a leader that was stalled for ten seconds does not
 * expire everybody when it wakes, before the renewals that arrived meanwhile. Slower is always
 * safe. While the node leads somebody has to read at least that often, see {@link #STEP_MAX}.
 */
final class LeaderClock {

  /** What one reading adds at most to the reading before. */
  static final Duration STEP_MAX = Duration.ofMillis(500);

  private final Leadership leadership;
  private final LongSupplier appliedLeaseTime;
  private final Ticker ticker;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private long anchoredTerm = -1;

  @GuardedBy("lock")
  private long leaseTimeNanos;

  @GuardedBy("lock")
  private long readAtNanos;

  /**
   * @param leadership what this node knows of its own leadership
   * @param appliedLeaseTime the lease time that the entries applied so far have left
   * @param ticker this node's monotonic clock
   */
  LeaderClock(Leadership leadership, LongSupplier appliedLeaseTime, Ticker ticker) {
    this.leadership = leadership;
    this.appliedLeaseTime = appliedLeaseTime;
    this.ticker = ticker;
  }

  /** Whether this node leads, and in which term. */
  interface Leadership {

    /** The term this node is in; never falls. */
    long term();

    /** Whether this node leads in its term and has applied everything of earlier terms. */
    boolean isReady();
  }

  /**
   * A reading.
   *
   * @param nanos lease time
   * @param term the only term in which it means anything
   */
  record Reading(long nanos, long term) {}

  /** Reads the clock; throws unless this node leads. */
  Reading read() {
    synchronized (lock) {
      long term = leadership.term();
      if (term == anchoredTerm) {
        advance();
      } else {
        anchor(term);
      }
      return new Reading(leaseTimeNanos, anchoredTerm);
    }
  }

  /** Reads the clock if this node leads, which also keeps it going. */
  OptionalLong tick() {
    if (!leadership.isReady()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(read().nanos());
    } catch (NotLeadingException e) {
      return OptionalLong.empty();
    }
  }

  @GuardedBy("lock")
  private void advance() {
    long nanos = ticker.nanos();
    leaseTimeNanos += Math.max(0, Math.min(nanos - readAtNanos, STEP_MAX.toNanos()));
    readAtNanos = nanos;
  }

  /**
   * The term is read on both sides of the lease time: only if it is the same has everything of
   * earlier terms been applied before, and nothing of later ones.
   */
  @GuardedBy("lock")
  private void anchor(long term) {
    if (!leadership.isReady()) {
      throw new NotLeadingException("this node does not lead, or is not ready to");
    }
    long leaseTime = appliedLeaseTime.getAsLong();
    long nanos = ticker.nanos();
    if (leadership.term() != term) {
      throw new NotLeadingException("leadership has changed just now");
    }
    anchoredTerm = term;
    leaseTimeNanos = leaseTime;
    readAtNanos = nanos;
  }

  /** The clock means nothing on this node now. */
  static final class NotLeadingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NotLeadingException(String message) {
      super(message);
    }
  }
}
