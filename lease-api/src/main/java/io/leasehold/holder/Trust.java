package io.leasehold.holder;

import io.leasehold.LeaseSettings;

/** How long a holder trusts a grant: less than the time to live, so that it gives up first. */
public final class Trust {

  /**
   * One part in this many of the ttl is the margin by which the holder gives up before the store
   * does; a fifth covers clocks whose rates are 11 % apart.
   */
  private static final int MARGIN_DIVISOR = 5;

  private Trust() {}

  /**
   * Returns the nanoseconds for which a grant is trusted, counted from the first sending of the
   * request that was acknowledged last.
   */
  public static long nanosOf(LeaseSettings settings) {
    long ttlNanos = settings.ttl().toNanos();
    return ttlNanos - ttlNanos / MARGIN_DIVISOR;
  }
}
