package io.leasehold.bench;

import io.leasehold.bench.cluster.BenchLog;
import io.leasehold.bench.cluster.EmbeddedCluster;
import io.leasehold.bench.cluster.Place;
import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.raft.RaftLeases;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Three nodes in the JVM of a benchmark, for as long as it runs. */
@State(Scope.Benchmark)
public class BenchCluster {

  private WorkFolder folder;
  private EmbeddedCluster cluster;

  @Setup
  public void start() {
    BenchLog.quiet();
    folder = WorkFolder.create();
    cluster = EmbeddedCluster.start(folder.path());
  }

  @TearDown
  public void stop() {
    cluster.close();
    folder.close();
  }

  /** Returns the node that leads now, or one that does not. */
  RaftLeases nodeAt(Place place) {
    return cluster.nodeAt(place);
  }
}
