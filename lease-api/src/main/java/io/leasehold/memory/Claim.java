package io.leasehold.memory;

/**
 * Who holds a lease or waits for it. Immutable.
 *
 * @param session the node incarnation
 * @param owner the claimant's own name
 * @param ttlNanos how long the claim outlives the session's last renewal
 * @param acquisitionId names the acquire within its session for ever; later ones are greater
 */
record Claim(Session session, String owner, long ttlNanos, long acquisitionId) {

  boolean isOfSameHolderAs(Claim other) {
    return session == other.session && owner.equals(other.owner);
  }

  boolean is(Session itsSession, long itsAcquisitionId) {
    return session == itsSession && acquisitionId == itsAcquisitionId;
  }

  long expiryNanos() {
    return session.expiryNanos(ttlNanos);
  }

  boolean livesAt(long nowNanos) {
    return nowNanos - expiryNanos() < 0;
  }
}
