package io.leasehold.harness.http;

import io.leasehold.Lease;
import io.leasehold.Subscription;

/**
 * What this node keeps for one name and owner while there is anything to keep. Confined to the
 * loop.
 */
final class Handle {

  /** A view of the hold with the settings of the last acquire. */
  Lease lease;

  /** Tells of losses as long as this handle is kept. */
  final Subscription losses;

  /** Acquires and releases under way. */
  int callers;

  /** The token of the hold that some caller was told of; 0 when there is none. */
  long toldToken;

  /** How many acquires have ended with a grant. */
  long grants;

  /** Whether the last sweep found nothing held although {@link #toldToken} says so. */
  boolean isSuspect;

  Handle(Lease lease, Subscription losses) {
    this.lease = lease;
    this.losses = losses;
  }

  boolean isIdle() {
    return callers == 0 && toldToken == 0;
  }
}
