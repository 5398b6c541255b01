package io.leasehold.store;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * What a replica measures of itself, for its meters.
 *
 * @param entriesBehind how many entries that are known to be committed it has not applied
 * @param leases how many leases are held in the whole store
 * @param sessions how many sessions the store knows
 * @param snapshotAge since its newest snapshot was taken or installed; where that was before this
 *     node has started, since that
 * @param snapshots how many it has taken since it has started
 * @param snapshotsTook how long that took together
 * @param diskStoodStill for how long nothing of its log has come to its disk although there was
 *     something; zero while it moves
 * @param disk what its folder takes
 */
public record StoreFigures(
    long entriesBehind,
    int leases,
    int sessions,
    Duration snapshotAge,
    long snapshots,
    Duration snapshotsTook,
    Duration diskStoodStill,
    DiskUse disk) {

  /** Of a store that measures nothing. */
  public static final StoreFigures NONE =
      new StoreFigures(
          0, 0, 0, Duration.ZERO, 0, Duration.ZERO, Duration.ZERO, DiskUse.NOT_MEASURED);

  public StoreFigures {
    requireNonNull(snapshotAge, "snapshotAge");
    requireNonNull(snapshotsTook, "snapshotsTook");
    requireNonNull(diskStoodStill, "diskStoodStill");
    requireNonNull(disk, "disk");
  }

  /**
   * Bytes on disk; NaN where they have not been measured yet. Files that a snapshot shares with the
   * table count for both.
   *
   * @param log of Raft
   * @param table of leases
   * @param snapshots all that are kept
   * @param free what there is room for
   */
  public record DiskUse(double log, double table, double snapshots, double free) {

    /** Before the first look. */
    public static final DiskUse NOT_MEASURED =
        new DiskUse(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
  }
}
