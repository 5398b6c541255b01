package io.leasehold.bench.load;

import static io.leasehold.bench.load.ResultTable.Column.number;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.bench.cluster.ChildNode;
import io.leasehold.bench.cluster.Place;
import io.leasehold.bench.cluster.ProcessCluster;
import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.harness.process.Patience;
import io.leasehold.raft.RaftLeases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Kills the process that leads while callers on another node acquire and release, again and again,
 * and measures the longest time without an acquire. The nodes that stay hold leases, too, none of
 * which may be lost. Before each kill, the process that was killed last has caught up.
 */
final class LeaderKills {

  private static final int CALLERS = 8;
  private static final int HELD_EACH = 100;
  private static final Duration TTL = Duration.ofSeconds(10);

  /** After its start a node reads its log again, which its status does not show. */
  private static final Duration SETTLE = Duration.ofSeconds(5);

  private static final Duration BEFORE = Duration.ofSeconds(1);

  /** Longer than a lease lives without renewals: by then a lost one would be known. */
  private static final Duration AFTER = Duration.ofSeconds(12);

  private final List<String> jvmOptions;
  private final int kills;
  private final Histogram gaps = Latencies.histogram();
  private int held;
  private int lost;
  private int failures;

  LeaderKills(List<String> jvmOptions, int kills) {
    this.jvmOptions = List.copyOf(jvmOptions);
    this.kills = kills;
  }

  /** Measures on a cluster of three processes, and returns the result. */
  ResultTable measure(Supplier<WorkFolder> folders) {
    try (WorkFolder folder = folders.get();
        ProcessCluster cluster = ProcessCluster.start(folder.path(), jvmOptions, Place.FOLLOWER)) {
      for (int i = 1; i <= kills; i++) {
        Report.progress("leader killed: " + i + " of " + kills);
        killOnce(cluster, "held" + i + "-");
      }
    }
    ResultTable table =
        new ResultTable(
            "leader-killed",
            "Leader killed: the longest time in which none of %d callers acquired"
                .formatted(CALLERS),
            number("kills", "kills", 0),
            number("gapP50Millis", "without an acquire p50, ms", 0),
            number("gapP99Millis", "p99", 0),
            number("gapMaxMillis", "max", 0),
            number("held", "leases held meanwhile", 0),
            number("lost", "of them lost", 0),
            number("failed", "calls failed", 0));
    table.add(
        kills,
        Latencies.millis(gaps, 50),
        Latencies.millis(gaps, 99),
        Latencies.millis(gaps, 100),
        held,
        lost,
        failures);
    return table;
  }

  private void killOnce(ProcessCluster cluster, String prefix) {
    RaftLeases node = cluster.nodeAt(Place.FOLLOWER);
    ChildNode leader = cluster.childAt(Place.LEADER);
    ChildNode other = cluster.childAt(Place.FOLLOWER);
    int othersBefore = other.alive();
    other.hold(prefix + "other-", HELD_EACH, TTL);
    List<Lease> own = hold(node, prefix + "own-");

    Latencies.record(gaps, longestGapNanos(node, leader, prefix));

    held += own.size() + othersBefore + HELD_EACH;
    lost += othersBefore + HELD_EACH - other.alive();
    lost += (int) own.stream().filter(lease -> !lease.checkAlive()).count();
    own.forEach(lease -> lease.release().toCompletableFuture().join());
    cluster.restart(leader.id());
    cluster.awaitCaughtUp(leader.id());
    Patience.rest(SETTLE);
  }

  private static List<Lease> hold(RaftLeases node, String prefix) {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < HELD_EACH; i++) {
      Lease lease = node.lease(LeaseSettings.of(prefix + i, "bench", TTL));
      if (!lease.acquire().toCompletableFuture().join()) {
        throw new IllegalStateException(prefix + i + " is held by another");
      }
      leases.add(lease);
    }
    return leases;
  }

  private long longestGapNanos(RaftLeases node, ChildNode leader, String prefix) {
    Window window = new Window();
    AcquireGaps gapsNow = new AcquireGaps(System::nanoTime);
    List<CyclingCaller> callers = new ArrayList<>();
    List<CompletableFuture<Void>> finished = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      Lease lease = node.lease(LeaseSettings.of(prefix + "cycled-" + i, "caller", TTL));
      CyclingCaller caller =
          new CyclingCaller(gapsNow.watched(new NodeTarget.Handle(lease)), window);
      callers.add(caller);
      finished.add(CallerThreads.run("caller", caller::cycleBlocking));
    }
    Patience.rest(BEFORE);
    gapsNow.begin();
    leader.kill();
    Window.Span unused = window.measure(Duration.ZERO, AFTER, List.of());
    long longest = gapsNow.endNanos();
    finished.forEach(CompletableFuture::join);
    window.requireNoFault();
    failures += (int) callers.stream().mapToLong(CyclingCaller::failures).sum();
    return longest;
  }
}
