package io.leasehold.store;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * What a backup is of.
 *
 * @param cluster whose leases they are
 * @param index the last log entry in it
 * @param savedAt when it was made, by the clock of who made it
 */
public record BackupContents(String cluster, long index, Instant savedAt) {

  public BackupContents {
    requireNonNull(cluster, "cluster");
    requireNonNull(savedAt, "savedAt");
  }
}
