package io.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a lease.
 *
 * @param kind what happened
 * @param name the lease
 * @param owner whom it concerns: the new holder of a grant, the former holder otherwise; null for
 *     {@link Kind#FREE}
 * @param node that holder's process; null for {@link Kind#FREE}
 * @param fencingToken that hold's token; 0 for {@link Kind#FREE}
 */
public record LeaseEvent(
    Kind kind, String name, @Nullable String owner, @Nullable String node, long fencingToken) {

  /** What happened. */
  public enum Kind {
    /** The state when the watch began or was resumed: held by this one. */
    CURRENT,
    /** The state when the watch began or was resumed: held by nobody. */
    FREE,
    /** Granted to a new holder. */
    GRANTED,
    /** Free because its holder released it. */
    RELEASED,
    /** Free because the holder's session was not renewed in time. */
    EXPIRED,
    /** Ended because another holder took it over; that one's grant follows. */
    TAKEN_OVER,
    /**
     * Ended by an operator. The lease is free at once after {@link LeaseInspector#revokeUnsafely};
     * otherwise {@link #RELEASED} or {@link #EXPIRED} with the same token follows when it is.
     */
    REVOKED
  }
}
