package io.leasehold.harness.shards;

import io.leasehold.LeaseSettings;
import java.time.Duration;
import java.util.List;

/**
 * What the nodes agree on.
 *
 * @param nodes all nodes that may have a region
 * @param ttl of the coordinator's lease and of each region's: how long it takes to replace them
 */
record ShardSettings(List<String> nodes, Duration ttl) {

  ShardSettings {
    nodes = List.copyOf(nodes);
  }

  LeaseSettings coordinatorLease(String owner) {
    return LeaseSettings.of("shards/coordinator", owner, ttl);
  }

  /** The lease under which a node's region lives. */
  LeaseSettings regionLease(String node) {
    return LeaseSettings.of("shards/region/" + node, node, ttl);
  }

  /** How often a coordinator asks the regions, and a node competes again after a failure. */
  Duration interval() {
    return ttl.dividedBy(4);
  }
}
