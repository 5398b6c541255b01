package io.leasehold.harness.shards;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Nodes that answer when the test says so. */
final class FakePeers implements Peers {

  /** What each node's region says when it is asked; silence while there is nothing. */
  private final Map<String, RegionReport> reports = new HashMap<>();

  private final List<Allocation> allocations = new ArrayList<>();
  private final List<CompletableFuture<Verdict>> verdicts = new ArrayList<>();

  void hasRegion(RegionId region, Allocation... allocations) {
    reports.put(region.node(), new RegionReport(Verdict.ACCEPTED, region, List.of(allocations)));
  }

  void says(String node, RegionReport report) {
    reports.put(node, report);
  }

  void isSilent(String node) {
    reports.remove(node);
  }

  /** All that regions were told. */
  List<Allocation> allocations() {
    return allocations;
  }

  /** What was told last is answered. */
  void answer(Verdict verdict) {
    verdicts.get(verdicts.size() - 1).complete(verdict);
  }

  /** Nobody knows whether what was told last arrived. */
  void timeOut() {
    verdicts.get(verdicts.size() - 1).completeExceptionally(new IllegalStateException("silence"));
  }

  @Override
  public CompletionStage<RegionReport> takeOver(String node, long token) {
    RegionReport report = reports.get(node);
    return report == null
        ? CompletableFuture.failedFuture(new IllegalStateException("silence"))
        : CompletableFuture.completedFuture(report);
  }

  @Override
  public CompletionStage<Verdict> allocate(Allocation allocation) {
    allocations.add(allocation);
    verdicts.add(new CompletableFuture<>());
    return verdicts.get(verdicts.size() - 1);
  }

  @Override
  public CompletionStage<Allocation> request(String node, String shard) {
    return CompletableFuture.failedFuture(new RequestRejectedException("nobody asks here"));
  }
}
