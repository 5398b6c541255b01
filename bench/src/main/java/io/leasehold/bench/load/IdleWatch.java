package io.leasehold.bench.load;

import static io.leasehold.bench.load.ResultTable.Column.number;
import static io.leasehold.bench.load.ResultTable.Column.text;

import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.bench.load.HoldingCost.NodeCost;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Measures what three processes cost that do nothing but hold leases. */
final class IdleWatch {

  private static final double MEGABYTE = 1024 * 1024;
  private static final double KILOBYTE = 1024;

  private final List<String> jvmOptions;
  private final Duration settle;
  private final Duration duration;
  private final ResultTable table =
      new ResultTable(
          "holding",
          "Holding: three idle processes, leases with a TTL of 10 s",
          number("leases", "leases", 0),
          number("holders", "nodes that hold them", 0),
          number("acquireSeconds", "acquired in, s", 2),
          number("cpuPercent", "CPU, % of a core", 2),
          text("cpuPercentPerNode", "of each"),
          number("entriesPerSecond", "log entries/s", 2),
          number("writtenKilobytesPerSecond", "disk KB/s", 1),
          text("heapMegabytesPerNode", "heap after GC, MB"),
          text("directMegabytesPerNode", "direct memory, MB"),
          number("residentMegabytes", "RSS together, MB", 0),
          text("threadsPerNode", "threads"));

  /**
   * @param jvmOptions of the processes
   * @param settle how long they are left alone before they are watched
   */
  IdleWatch(List<String> jvmOptions, Duration settle, Duration duration) {
    this.jvmOptions = List.copyOf(jvmOptions);
    this.settle = settle;
    this.duration = duration;
  }

  /**
   * Measures one number of leases.
   *
   * @param holders how many of the nodes hold them
   */
  void add(int leases, int holders, Supplier<WorkFolder> folders) {
    Report.progress("three idle processes, " + leases + " leases held by " + holders);
    try (WorkFolder folder = folders.get()) {
      HoldingCost cost =
          HoldingCost.measure(folder.path(), jvmOptions, leases, holders, settle, duration);
      List<NodeCost> nodes = cost.perNode();
      table.add(
          leases,
          holders,
          cost.acquireSeconds(),
          nodes.stream().mapToDouble(NodeCost::cpuPercent).sum(),
          each(nodes, NodeCost::cpuPercent, "%.2f"),
          cost.entriesPerSecond(),
          nodes.stream().mapToDouble(NodeCost::writtenBytesPerSecond).sum() / KILOBYTE,
          each(nodes, node -> node.heapBytes() / MEGABYTE, "%.0f"),
          each(nodes, node -> node.directBytes() / MEGABYTE, "%.0f"),
          nodes.stream().mapToDouble(NodeCost::residentBytes).sum() / MEGABYTE,
          each(nodes, NodeCost::threads, "%.0f"));
    }
  }

  private static String each(List<NodeCost> nodes, ToDoubleFunction<NodeCost> value, String form) {
    return nodes.stream()
        .map(node -> String.format(Locale.ROOT, form, value.applyAsDouble(node)))
        .collect(Collectors.joining(" + "));
  }

  ResultTable table() {
    return table;
  }
}
