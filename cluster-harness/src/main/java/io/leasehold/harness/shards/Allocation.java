package io.leasehold.harness.shards;

/**
 * A coordinator's decision.
 *
 * @param shard which shard
 * @param region who has it, until the end of that life
 * @param fencingToken of the coordinator that decided
 */
record Allocation(String shard, RegionId region, long fencingToken) {}
