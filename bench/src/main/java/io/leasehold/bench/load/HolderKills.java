package io.leasehold.bench.load;

import static io.leasehold.bench.load.ResultTable.Column.number;
import static io.leasehold.bench.load.ResultTable.Column.text;

import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import io.leasehold.bench.cluster.ChildNode;
import io.leasehold.bench.cluster.Place;
import io.leasehold.bench.cluster.ProcessCluster;
import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.harness.process.Patience;
import io.leasehold.raft.RaftLeases;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/**
 * Kills the process of a holder while a waiter is queued, again and again, and measures how long
 * after the moment at which its expiry was due the waiter has the lease.
 */
final class HolderKills {

  private static final Duration TTL = Duration.ofSeconds(3);
  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  /** By then whatever the holder had sent has been applied or is lost. */
  private static final Duration LAST_WORDS = Duration.ofMillis(500);

  private final List<String> jvmOptions;
  private final int kills;
  private final ResultTable table =
      new ResultTable(
          "holder-killed",
          "Holder killed: grant to the waiter, after the expiry was due (TTL 3 s)",
          text("waiter", "the waiter is on the"),
          number("kills", "kills", 0),
          number("lateP50Millis", "granted late by p50, ms", 1),
          number("lateP99Millis", "p99", 1),
          number("lateMaxMillis", "max", 1),
          number("early", "too early", 0));

  HolderKills(List<String> jvmOptions, int kills) {
    this.jvmOptions = List.copyOf(jvmOptions);
    this.kills = kills;
  }

  ResultTable table() {
    return table;
  }

  /**
   * Measures on a cluster of three processes.
   *
   * @param place where the waiter is; the holder is on a node that does not lead
   */
  void measure(Place place, Supplier<WorkFolder> folders) {
    Histogram late = Latencies.histogram();
    int early = 0;
    try (WorkFolder folder = folders.get();
        ProcessCluster cluster = ProcessCluster.start(folder.path(), jvmOptions, place)) {
      for (int i = 1; i <= kills; i++) {
        Report.progress("holder killed, waiter on the " + place + ": " + i + " of " + kills);
        long nanos = killOnce(cluster, place, "killed" + i + "-");
        if (nanos < 0) {
          early++;
        } else {
          Latencies.record(late, nanos);
        }
      }
    }
    table.add(
        place.toString(),
        kills,
        Latencies.millis(late, 50),
        Latencies.millis(late, 99),
        Latencies.millis(late, 100),
        early);
  }

  /** Returns how late the waiter got the lease; negative if it was too early. */
  private static long killOnce(ProcessCluster cluster, Place place, String prefix) {
    RaftLeases node = cluster.nodeAt(place);
    ChildNode holder = cluster.childAt(Place.FOLLOWER);
    holder.hold(prefix, 1, TTL);
    String name = prefix + "0";
    Lease lease = node.lease(LeaseSettings.of(name, "waiter", TTL));
    CompletionStage<Long> granted =
        lease.acquire(WAIT_MAX).thenApply(HolderKills::nowThatItIsGranted);
    LeaseStatus unused =
        Patience.until(
            "a place in the queue",
            WAIT_MAX,
            () -> find(node.inspector(), name).filter(status -> status.waiters() == 1));

    holder.kill();
    Patience.rest(LAST_WORDS);
    // The look is an entry of the log, stamped after this: what it says is left ends no sooner.
    long looked = System.nanoTime();
    LeaseStatus status = find(node.inspector(), name).orElseThrow();
    if (status.owner().equals("waiter")) {
      throw new IllegalStateException(name + " was granted before its expiry could be looked at");
    }
    long due = looked + status.remaining().toNanos();
    long late = granted.toCompletableFuture().join() - due;

    lease.release().toCompletableFuture().join();
    cluster.restart(holder.id());
    return late;
  }

  private static Optional<LeaseStatus> find(LeaseInspector inspector, String name) {
    return inspector.find(name).toCompletableFuture().join();
  }

  private static long nowThatItIsGranted(boolean granted) {
    if (!granted) {
      throw new IllegalStateException("the waiter has waited in vain for " + WAIT_MAX);
    }
    return System.nanoTime();
  }
}
