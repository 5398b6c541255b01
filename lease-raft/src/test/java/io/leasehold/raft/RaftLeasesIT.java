package io.leasehold.raft;

import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.LeaseContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract on the real thing: three nodes, one of which each rule may break. The rules wait
 * more than they work, so three clusters are put to it side by side, each to one rule at a time.
 */
@Execution(ExecutionMode.CONCURRENT)
final class RaftLeasesIT extends LeaseContract {

  private static final int CLUSTERS = 3;

  @TempDir static Path folder;

  private static final List<EmbeddedCluster> STARTED = new ArrayList<>();
  private static final BlockingQueue<EmbeddedCluster> IDLE = new LinkedBlockingQueue<>();

  /** All before the first rule: a port of a node that has crashed is free for a moment. */
  @BeforeAll
  static void start() {
    for (int i = 0; i < CLUSTERS; i++) {
      EmbeddedCluster cluster = new EmbeddedCluster(folder.resolve("cluster-" + i), IDLE::add);
      cluster.awaitLeader();
      STARTED.add(cluster);
      IDLE.add(cluster);
    }
  }

  @Override
  protected ContractCluster newCluster() {
    try {
      return IDLE.take();
    } catch (InterruptedException e) {
      throw new IllegalStateException("the test was interrupted", e);
    }
  }

  @AfterAll
  static void shutDown() {
    STARTED.forEach(EmbeddedCluster::shutDown);
    STARTED.clear();
    IDLE.clear();
  }
}
