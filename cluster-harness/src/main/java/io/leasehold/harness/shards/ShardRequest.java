package io.leasehold.harness.shards;

import java.util.concurrent.CompletableFuture;

/**
 * Somebody wants to know who has a shard, and waits for the answer.
 *
 * @param answer completes with the allocation; fails with {@link RequestRejectedException}
 */
record ShardRequest(String shard, CompletableFuture<Allocation> answer) {

  static ShardRequest of(String shard) {
    return new ShardRequest(shard, new CompletableFuture<>());
  }

  void grant(Allocation allocation) {
    answer.complete(allocation);
  }

  void reject(String why) {
    answer.completeExceptionally(new RequestRejectedException(why));
  }
}
