package io.leasehold.harness.chaos;

/**
 * Translates one process' clock into the harness'. A node in a time namespace counts from another
 * moment, and one whose clock was made to drift counts at another rate; both are known. What is not
 * known exactly is when such a clock began: each reading of it between two readings of the harness'
 * narrows that down, and what is left widens every stamp.
 */
final class NodeClock {

  /** More than a reading's own inaccuracy. */
  private static final long SLACK_NANOS = 20_000;

  private final double rate;
  private final long nodeOrigin;
  private final long origin;
  private double least = Double.NEGATIVE_INFINITY;
  private double most = Double.POSITIVE_INFINITY;

  /** Where the clock is known exactly: it runs like ours, ahead by so many nanoseconds. */
  static NodeClock ahead(long nanos) {
    NodeClock clock = new NodeClock(1, nanos, 0);
    clock.least = 0;
    clock.most = 0;
    return clock;
  }

  /**
   * A clock of a known rate.
   *
   * @param nodeOrigin a reading of it, to count from
   * @param origin a reading of ours at about the same time
   */
  NodeClock(double rate, long nodeOrigin, long origin) {
    this.rate = rate;
    this.nodeOrigin = nodeOrigin;
    this.origin = origin;
  }

  /** The node read {@code node} on its clock, between {@code before} and {@code after} on ours. */
  void observe(long before, long node, long after) {
    double elapsed = (node - nodeOrigin) / rate;
    least = Math.max(least, before - origin - elapsed);
    most = Math.min(most, after - origin - elapsed);
  }

  /** Whether all readings fit one clock of the rate. */
  boolean isConsistent() {
    return least <= most + 2 * SLACK_NANOS;
  }

  /** How far a translated stamp may be off, either way. */
  long errorNanos() {
    boolean exact = rate == 1 && least == 0 && most == 0;
    return exact ? 0 : (long) Math.ceil(Math.abs(most - least) / 2) + SLACK_NANOS;
  }

  /** Our reading at the moment of a reading of the node's. */
  long toOurs(long node) {
    return origin + Math.round((node - nodeOrigin) / rate + (least + most) / 2);
  }
}
