package io.leasehold.store.core;

import io.leasehold.LeaseLimits;

/**
 * The limits of a store. They are part of what every replica must decide alike, so they change only
 * with the version of the format.
 *
 * @param commandsPerBatch most commands in a batch
 * @param waitersPerLease most waiters in a lease's queue
 * @param leases most leases held at once
 * @param sessions most sessions at once
 * @param newsPerSession most news kept for a session that does not ask
 */
public record Limits(
    int commandsPerBatch, int waitersPerLease, int leases, int sessions, int newsPerSession) {

  /** What real stores use. */
  public static final Limits DEFAULT = new Limits(2_000, 1_000, 5_000_000, 50_000, 100);

  /** Most characters of the reason of a revocation. */
  public static final int REASON_CHARS_MAX = LeaseLimits.REASON_CHARS_MAX;

  /** Most characters of a node's name. */
  public static final int NODE_CHARS_MAX = 256;

  public Limits {
    if (commandsPerBatch < 1
        || waitersPerLease < 0
        || leases < 1
        || sessions < 1
        || newsPerSession < 1) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }
}
