package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

/**
 * One place in a lease's queue.
 *
 * @param holder who would get it
 * @param ttlNanos the time to live that was asked for
 * @param acquisitionId the acquire that waits
 */
public record Waiter(Holder holder, long ttlNanos, long acquisitionId) {

  public Waiter {
    requireNonNull(holder, "holder");
  }

  Claim claimOn(String name) {
    return new Claim(holder.session(), ttlNanos, name, acquisitionId);
  }
}
