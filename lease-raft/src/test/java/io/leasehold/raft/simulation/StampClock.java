package io.leasehold.raft.simulation;

import io.leasehold.time.Ticker;
import java.util.function.LongSupplier;

/**
 * Lease time as a leader tells it: what the table had when the leader became ready, and the time
 * that its own monotonic clock has measured since.
 */
final class StampClock {

  private static final long STEP_NANOS_MAX = 500_000_000L;

  private final Ticker ticker;
  private final LongSupplier appliedLeaseTime;
  private long anchoredTerm = -1;
  private long leaseTimeNanos;
  private long readAtNanos;

  StampClock(Ticker ticker, LongSupplier appliedLeaseTime) {
    this.ticker = ticker;
    this.appliedLeaseTime = appliedLeaseTime;
  }

  /** What it shows, and the only term in which that means anything. */
  record Reading(long nanos, long term) {}

  /** Reads it in a term in which this node leads and is ready. */
  Reading read(long term) {
    long nowNanos = ticker.nanos();
    if (term == anchoredTerm) {
      leaseTimeNanos += Math.max(0, Math.min(nowNanos - readAtNanos, STEP_NANOS_MAX));
    } else {
      anchoredTerm = term;
      leaseTimeNanos = appliedLeaseTime.getAsLong();
    }
    readAtNanos = nowNanos;
    return new Reading(leaseTimeNanos, anchoredTerm);
  }
}
