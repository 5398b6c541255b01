package io.leasehold.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * One lease that is held. Immutable.
 *
 * @param name which lease
 * @param claim who has it
 * @param token the grant's fencing token
 * @param revokedUntilNanos when it is free at the latest, if an operator has revoked it
 * @param queue who waits for it, first come first
 */
record StoredLease(
    String name, Claim claim, long token, OptionalLong revokedUntilNanos, List<Claim> queue) {

  StoredLease {
    queue = List.copyOf(queue);
  }

  long expiryNanos() {
    return revokedUntilNanos.orElseGet(claim::expiryNanos);
  }

  boolean isDueAt(long nowNanos) {
    return nowNanos - expiryNanos() >= 0;
  }

  boolean isHeldBy(Session session, long itsToken) {
    return claim.session() == session && token == itsToken;
  }

  StoredLease withQueue(List<Claim> newQueue) {
    return new StoredLease(name, claim, token, revokedUntilNanos, newQueue);
  }

  /** The queue without the holder's place, for each holder has one. */
  List<Claim> queueWithout(Claim holder) {
    List<Claim> rest = new ArrayList<>(queue);
    rest.removeIf(waiter -> waiter.isOfSameHolderAs(holder));
    return rest;
  }

  StoredLease revokedUntil(long nanos) {
    return new StoredLease(name, claim, token, OptionalLong.of(nanos), queue);
  }
}
