package io.leasehold.harness.shards;

/**
 * One life of a region: from the grant of its lease until that lease is lost.
 *
 * @param node where it is
 * @param token of the lease under which it lives
 */
record RegionId(String node, long token) {}
