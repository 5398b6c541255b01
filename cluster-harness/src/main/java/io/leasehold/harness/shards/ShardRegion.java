package io.leasehold.harness.shards;

import io.leasehold.singleton.SingletonContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One life of a region: has shards while its lease is held, and obeys the newest coordinator that
 * it has heard of. Confined to its node's strand.
 */
final class ShardRegion {

  private final RegionId id;
  private final SingletonContext life;
  private final ShardLog log;
  private final Map<String, Allocation> allocations = new LinkedHashMap<>();
  private long newestCoordinator;

  /**
   * @param life the hold of the region's lease
   */
  ShardRegion(String node, SingletonContext life, ShardLog log) {
    this.id = new RegionId(node, life.fencingToken());
    this.life = life;
    this.log = log;
  }

  /**
   * Tells a coordinator what this region has, and refuses older ones from now on.
   *
   * @param token the coordinator's
   */
  RegionReport takeOver(long token) {
    Verdict verdict = verdictOn(id, token, log.now());
    return new RegionReport(
        verdict, id, verdict == Verdict.ACCEPTED ? List.copyOf(allocations.values()) : List.of());
  }

  /** Takes a shard, if the coordinator is no older than another and means this life. */
  Verdict accept(Allocation allocation) {
    long at = log.now();
    Verdict verdict = verdictOn(allocation.region(), allocation.fencingToken(), at);
    if (verdict == Verdict.ACCEPTED) {
      allocations.put(allocation.shard(), allocation);
      log.accepted(at, id, allocation);
    } else {
      log.refused(at, id, allocation);
    }
    return verdict;
  }

  /** Writes down that this region has its shards now, if it may believe so. */
  void claim() {
    long at = log.now();
    if (life.checkAlive()) {
      log.hosts(at, id);
    }
  }

  private Verdict verdictOn(RegionId meant, long token, long at) {
    if (!meant.equals(id) || !life.checkAlive()) {
      return Verdict.GONE;
    }
    if (token < newestCoordinator) {
      return Verdict.STALE;
    }
    if (token > newestCoordinator) {
      newestCoordinator = token;
      log.obeys(at, id, token);
    }
    return Verdict.ACCEPTED;
  }
}
