package io.leasehold.store;

import static java.util.Objects.requireNonNull;

import io.leasehold.store.core.HeldLease;

/**
 * One lease as a replica's table has it.
 *
 * @param lease the record
 * @param remainingNanos lease time left until its expiry; zero when it is due
 */
public record LeaseReading(HeldLease lease, long remainingNanos) {

  public LeaseReading {
    requireNonNull(lease, "lease");
  }
}
