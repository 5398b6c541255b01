package io.leasehold.raft;

import java.util.TreeMap;

/**
 * How often this node renews and how long it waits for one answer: set by the shortest interval
 * among the leases it holds or waits for. Confined to the strand.
 */
final class RenewalPace {

  private static final long ATTEMPT_NANOS_MIN = 20_000_000L;
  private static final long ATTEMPT_NANOS_MAX = 500_000_000L;
  private static final int DOUBLINGS_MAX = 2;

  private final long idleIntervalNanos;
  private final TreeMap<Long, Integer> intervals = new TreeMap<>();

  /**
   * @param idleIntervalNanos how often a session is renewed that holds and awaits nothing
   */
  RenewalPace(long idleIntervalNanos) {
    this.idleIntervalNanos = idleIntervalNanos;
  }

  void add(long intervalNanos) {
    intervals.merge(intervalNanos, 1, Integer::sum);
  }

  void remove(long intervalNanos) {
    intervals.computeIfPresent(intervalNanos, (interval, n) -> n == 1 ? null : n - 1);
  }

  /** Whether nothing is held or awaited. */
  boolean isIdle() {
    return intervals.isEmpty();
  }

  long intervalNanos() {
    return intervals.isEmpty()
        ? idleIntervalNanos
        : Math.min(idleIntervalNanos, intervals.firstKey());
  }

  /**
   * How long one attempt may take before another member is tried. An interval is at most half a ttl
   * and a deadline lies at four fifths of it, so that a third of the interval leaves room for two
   * more attempts before any hold is lost. Later attempts get longer, or a slow cluster would be
   * answered with more load.
   */
  long attemptNanos(int attempt) {
    long third = Math.min(ATTEMPT_NANOS_MAX, Math.max(ATTEMPT_NANOS_MIN, intervalNanos() / 3));
    return third << Math.min(DOUBLINGS_MAX, attempt / 3);
  }
}
