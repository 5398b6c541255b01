package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

/**
 * That a session holds or waits for a lease: the index from sessions to leases, in each session in
 * the order in which its claims run out. It stays the same from the first wait to the end of the
 * hold.
 *
 * @param session whose claim
 * @param ttlNanos how long it outlives the session's last renewal
 * @param name on which lease
 * @param acquisitionId by which acquire
 */
public record Claim(SessionId session, long ttlNanos, String name, long acquisitionId)
    implements Comparable<Claim> {

  public Claim {
    requireNonNull(session, "session");
    requireNonNull(name, "name");
  }

  @Override
  public int compareTo(Claim other) {
    int order = session.compareTo(other.session);
    if (order == 0) {
      order = Long.compare(ttlNanos, other.ttlNanos);
    }
    if (order == 0) {
      order = name.compareTo(other.name);
    }
    return order != 0 ? order : Long.compare(acquisitionId, other.acquisitionId);
  }
}
