package io.leasehold.harness.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.LeaseStatus;
import org.jspecify.annotations.Nullable;

/**
 * A lease as the store has it.
 *
 * @param name the lease
 * @param holder who has it; null when it is free
 * @param fencingToken the hold's token; null when it is free
 * @param ttlMillis the hold's time to live; null when it is free
 * @param remainingMillis time until its expiry if no renewal comes; null when it is free
 * @param waiters how many are queued
 * @param revoked true when an operator has revoked it and it is not free yet; left out otherwise
 */
public record LeaseRow(
    String name,
    @Nullable HolderView holder,
    @Nullable Long fencingToken,
    @Nullable Long ttlMillis,
    @Nullable Long remainingMillis,
    int waiters,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean revoked) {

  /** The row of a lease that nobody holds. */
  public static LeaseRow free(String name) {
    return new LeaseRow(name, null, null, null, null, 0, false);
  }

  /** The row of a lease that somebody holds. */
  public static LeaseRow of(LeaseStatus status) {
    return new LeaseRow(
        status.name(),
        new HolderView(status.owner(), status.node()),
        status.fencingToken(),
        status.ttl().toMillis(),
        status.remaining().toMillis(),
        status.waiters(),
        status.revoked());
  }
}
