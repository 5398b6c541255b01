package io.leasehold.harness.shards;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What a node writes down, to be judged afterwards.
 *
 * @param at nanoseconds of the machine's monotonic clock. Where an event says that a lease is held
 *     it was read before {@code checkAlive()} was called, so that the lease was held then
 * @param coordinator the token of the coordinator that acts, or is listened to; 0 for none
 * @param region the token of the life of the node's region, if that acts; else 0
 * @param allocation what it is about; null where it is about none
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
record ShardEvent(
    Kind kind,
    long at,
    String node,
    long coordinator,
    long region,
    @Nullable Allocation allocation) {

  /** What happened. */
  enum Kind {
    /** A coordinator's tenure has begun. */
    BEGUN,
    /** A coordinator held its lease. */
    COORDINATES,
    /** A coordinator held its lease, and tells a region that it has a shard. */
    DECIDED,
    /** A coordinator's tenure has ended. */
    ENDED,
    /** A region held its lease, and had all that it had accepted. */
    HOSTS,
    /** A region held its lease, and obeys a newer coordinator from now on. */
    OBEYS,
    /** A region held its lease, and has accepted a shard. */
    ACCEPTED,
    /** A region has refused a shard. */
    REFUSED
  }
}
