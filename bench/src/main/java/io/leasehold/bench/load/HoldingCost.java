package io.leasehold.bench.load;

import io.leasehold.bench.cluster.ChildNode;
import io.leasehold.bench.cluster.ClusterPlan;
import io.leasehold.store.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What it costs three idle processes to hold leases, and to renew them.
 *
 * @param leases how many
 * @param holders how many of the nodes hold them
 * @param acquireSeconds how long it took to acquire them
 * @param entriesPerSecond entries of the log
 * @param perNode what each node costs
 */
record HoldingCost(
    int leases,
    int holders,
    double acquireSeconds,
    double entriesPerSecond,
    List<NodeCost> perNode) {

  private static final Duration TTL = Duration.ofSeconds(10);

  HoldingCost {
    perNode = List.copyOf(perNode);
  }

  /**
   * Starts three processes, lets some of them acquire leases with a TTL of 10 s, and watches them.
   *
   * @param settle how long they are left alone first: what the acquires left to do, and the
   *     compiler, shall not count
   */
  static HoldingCost measure(
      Path folder,
      List<String> jvmOptions,
      int leases,
      int holders,
      Duration settle,
      Duration duration) {
    ClusterPlan plan = ClusterPlan.ofThree(folder);
    List<ChildNode> nodes = new ArrayList<>();
    try {
      for (Member member : plan.members()) {
        nodes.add(ChildNode.start(plan, member.id(), jvmOptions));
      }
      nodes.get(0).awaitQuorum();
      long start = System.nanoTime();
      for (int i = 0; i < holders; i++) {
        int share = leases / holders + (i < leases % holders ? 1 : 0);
        nodes.get(i).hold("held" + i + "-", share, TTL);
      }
      double acquireSeconds = (System.nanoTime() - start) / 1e9;
      pass(settle);
      return watch(nodes, leases, holders, acquireSeconds, duration);
    } finally {
      nodes.parallelStream().forEach(ChildNode::close);
    }
  }

  private static HoldingCost watch(
      List<ChildNode> nodes, int leases, int holders, double acquireSeconds, Duration duration) {
    long indexBefore = nodes.get(0).appliedIndex();
    List<Counters> before = nodes.stream().map(Counters::of).toList();
    long start = System.nanoTime();
    pass(duration);
    double seconds = (System.nanoTime() - start) / 1e9;
    List<Counters> after = nodes.stream().map(Counters::of).toList();
    double entries = (nodes.get(0).appliedIndex() - indexBefore) / seconds;

    List<NodeCost> costs = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      OsProcess process = new OsProcess(nodes.get(i).pid());
      costs.add(
          new NodeCost(
              100 * (after.get(i).cpuSeconds() - before.get(i).cpuSeconds()) / seconds,
              (after.get(i).writtenBytes() - before.get(i).writtenBytes()) / seconds,
              nodes.get(i).heapBytes(),
              nodes.get(i).directBytes(),
              process.residentBytes(),
              process.threads()));
    }
    return new HoldingCost(leases, holders, acquireSeconds, entries, costs);
  }

  private static void pass(Duration time) {
    try {
      boolean unused = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    }
  }

  /**
   * What one node costs.
   *
   * @param cpuPercent of one core
   * @param heapBytes in use after a collection
   */
  record NodeCost(
      double cpuPercent,
      double writtenBytesPerSecond,
      long heapBytes,
      long directBytes,
      long residentBytes,
      int threads) {}

  private record Counters(double cpuSeconds, long writtenBytes) {

    static Counters of(ChildNode node) {
      OsProcess process = new OsProcess(node.pid());
      return new Counters(process.cpuSeconds(), process.writtenBytes());
    }
  }
}
