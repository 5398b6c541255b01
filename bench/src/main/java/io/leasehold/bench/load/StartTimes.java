package io.leasehold.bench.load;

import static io.leasehold.bench.load.ResultTable.Column.number;
import static io.leasehold.bench.load.ResultTable.Column.text;
import static java.util.concurrent.CompletableFuture.supplyAsync;

import io.leasehold.bench.cluster.ChildNode;
import io.leasehold.bench.cluster.ClusterPlan;
import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.store.Member;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Starts nodes in new JVMs, again and again, and measures how long each takes from the call that
 * starts it to its first lease. The time in which the JVM itself starts does not count.
 */
final class StartTimes {

  private static final Executor EACH_ITS_OWN_THREAD = task -> new Thread(task, "start").start();

  private final List<String> jvmOptions;
  private final int starts;
  private final Histogram together = Latencies.histogram();
  private final Histogram joining = Latencies.histogram();
  private final Histogram again = Latencies.histogram();

  StartTimes(List<String> jvmOptions, int starts) {
    this.jvmOptions = List.copyOf(jvmOptions);
    this.starts = starts;
  }

  /** Measures, and returns the result. */
  ResultTable measure(Supplier<WorkFolder> folders) {
    for (int i = 1; i <= starts; i++) {
      Report.progress("starts: " + i + " of " + starts);
      try (WorkFolder folder = folders.get()) {
        startTogether(ClusterPlan.ofThree(folder.path()));
      }
      try (WorkFolder folder = folders.get()) {
        startOneByOne(ClusterPlan.ofThree(folder.path()));
      }
    }
    ResultTable table =
        new ResultTable(
            "starts",
            "Start: from the call that starts a node, in a new JVM, to its first lease",
            text("what", "what starts"),
            number("starts", "starts", 0),
            number("startP50Millis", "p50, ms", 0),
            number("startMaxMillis", "max", 0));
    add(table, "three nodes together, empty folders", together);
    add(table, "a third node, empty folder", joining);
    add(table, "the same again, on its folder", again);
    return table;
  }

  private static void add(ResultTable table, String what, Histogram times) {
    table.add(
        what, times.getTotalCount(), Latencies.millis(times, 50), Latencies.millis(times, 100));
  }

  private void startTogether(ClusterPlan plan) {
    List<CompletableFuture<ChildNode>> nodes =
        plan.members().stream()
            .map(member -> supplyAsync(() -> start(plan, member.id()), EACH_ITS_OWN_THREAD))
            .toList();
    nodes.stream()
        .map(node -> node.thenApplyAsync(ChildNode::firstLeaseNanos, EACH_ITS_OWN_THREAD))
        .toList()
        .forEach(nanos -> Latencies.record(together, nanos.join()));
    nodes.parallelStream().map(CompletableFuture::join).forEach(ChildNode::close);
  }

  private void startOneByOne(ClusterPlan plan) {
    List<String> ids = plan.members().stream().map(Member::id).toList();
    try (ChildNode first = start(plan, ids.get(0));
        ChildNode second = start(plan, ids.get(1))) {
      first.awaitQuorum();
      second.awaitQuorum();
      try (ChildNode third = start(plan, ids.get(2))) {
        Latencies.record(joining, third.firstLeaseNanos());
      }
      try (ChildNode third = start(plan, ids.get(2))) {
        Latencies.record(again, third.firstLeaseNanos());
      }
    }
  }

  private ChildNode start(ClusterPlan plan, String id) {
    return ChildNode.start(plan, id, jvmOptions);
  }
}
