package io.leasehold.store;

import static java.util.Objects.requireNonNull;

/**
 * What a replica's whole table amounted to right after one entry: the same on every replica, after
 * whatever restarts and snapshots, or they have diverged.
 *
 * @param index of that entry
 * @param leaseTimeNanos the replicated clock after it
 * @param lastToken the greatest fencing token granted by then
 * @param sha256 of all rows, in hexadecimal digits
 */
public record TableDigest(long index, long leaseTimeNanos, long lastToken, String sha256) {

  public TableDigest {
    requireNonNull(sha256, "sha256");
  }
}
