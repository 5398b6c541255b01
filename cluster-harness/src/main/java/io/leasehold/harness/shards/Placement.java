package io.leasehold.harness.shards;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a coordinator has put a shard, and who waits to hear that the region has it. Unconfirmed
 * means unknown: the region may have it. Confined to the coordinator's strand.
 */
final class Placement {

  private final Allocation allocation;
  private final List<ShardRequest> waiting = new ArrayList<>();
  private boolean confirmed;

  Placement(Allocation allocation) {
    this.allocation = allocation;
  }

  Allocation allocation() {
    return allocation;
  }

  boolean isConfirmed() {
    return confirmed;
  }

  void confirm() {
    confirmed = true;
  }

  void await(ShardRequest request) {
    waiting.add(request);
  }

  int waiting() {
    return waiting.size();
  }

  void grantWaiting() {
    waiting.forEach(request -> request.grant(allocation));
    waiting.clear();
  }

  void rejectWaiting(String why) {
    waiting.forEach(request -> request.reject(why));
    waiting.clear();
  }
}
