package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A lease that is held, with the queue for it. A free lease has no record: nothing of it remains.
 *
 * @param name which lease
 * @param holder who has it
 * @param token the fencing token of this hold
 * @param ttlNanos how long it outlives its session's last renewal
 * @param acquisitionId the acquire that was granted
 * @param revokedExpiryNanos once revoked, the lease time at which it ends whatever its session does
 * @param queue who waits, first come first
 */
public record HeldLease(
    String name,
    Holder holder,
    long token,
    long ttlNanos,
    long acquisitionId,
    OptionalLong revokedExpiryNanos,
    List<Waiter> queue) {

  public HeldLease {
    requireNonNull(name, "name");
    requireNonNull(holder, "holder");
    requireNonNull(revokedExpiryNanos, "revokedExpiryNanos");
    queue = List.copyOf(queue);
  }

  /** Whether an operator has ended it and its holder has not confirmed yet. */
  public boolean isRevoked() {
    return revokedExpiryNanos.isPresent();
  }

  /**
   * The lease time at which it ends if its session, last renewed at {@code renewedNanos}, is not
   * renewed again.
   */
  public long expiryNanos(long renewedNanos) {
    return revokedExpiryNanos.orElse(renewedNanos + ttlNanos);
  }

  boolean isOf(SessionId session) {
    return holder.session().equals(session);
  }

  Claim claim() {
    return new Claim(holder.session(), ttlNanos, name, acquisitionId);
  }

  /** The place of a holder in the queue; it has at most one. */
  Optional<Waiter> placeOf(Holder waiting) {
    for (Waiter waiter : queue) {
      if (waiter.holder().equals(waiting)) {
        return Optional.of(waiter);
      }
    }
    return Optional.empty();
  }

  /** The place in the queue that an acquire has taken. */
  Optional<Waiter> placeOf(SessionId session, long acquisition) {
    for (Waiter waiter : queue) {
      if (waiter.acquisitionId() == acquisition && waiter.holder().session().equals(session)) {
        return Optional.of(waiter);
      }
    }
    return Optional.empty();
  }

  HeldLease withQueue(List<Waiter> newQueue) {
    return new HeldLease(
        name, holder, token, ttlNanos, acquisitionId, revokedExpiryNanos, newQueue);
  }

  HeldLease revokedUntil(long expiryNanos) {
    return new HeldLease(
        name, holder, token, ttlNanos, acquisitionId, OptionalLong.of(expiryNanos), queue);
  }
}
