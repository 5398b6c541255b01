package io.leasehold.store.ratis;

import java.time.Clock;

/**
 * Where a cluster's tokens begin: at the second of its first grant, shifted, so that those of a
 * cluster that takes the place of an older one are greater (CORRECTNESS.md, P6). No cluster grants
 * as many in a second as lie between two bases.
 */
final class TokenBase {

  private static final int BITS = 20;
  private static final long SECONDS_MAX = 1L << 32;

  private TokenBase() {}

  static long at(Clock wallClock) {
    return after(wallClock.instant().getEpochSecond());
  }

  /** Returns more than all that is granted in so many seconds. */
  static long after(long seconds) {
    return Math.max(0, Math.min(seconds, SECONDS_MAX)) << BITS;
  }
}
