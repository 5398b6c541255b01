package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;

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

  private static final Comparator<Claim> ORDER =
      Comparator.comparing(Claim::session)
          .thenComparingLong(Claim::ttlNanos)
          .thenComparing(Claim::name)
          .thenComparingLong(Claim::acquisitionId);

  public Claim {
    requireNonNull(session, "session");
    requireNonNull(name, "name");
  }

  @Override
  public int compareTo(Claim other) {
    return ORDER.compare(this, other);
  }
}
