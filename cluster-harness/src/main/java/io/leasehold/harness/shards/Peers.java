package io.leasehold.harness.shards;

import java.util.concurrent.CompletionStage;

/**
 * How a node reaches the nodes, itself among them. Every stage completes, or fails, within a
 * bounded time; a failure means that it is unknown whether the message arrived, or still will. Safe
 * for many threads.
 */
interface Peers {

  /** Has a node's region tell what it has, to the coordinator of that token. */
  CompletionStage<RegionReport> takeOver(String node, long token);

  /** Hands a shard to its region. */
  CompletionStage<Verdict> allocate(Allocation allocation);

  /** Asks a node, which is thought to coordinate, who has a shard. */
  CompletionStage<Allocation> request(String node, String shard);
}
