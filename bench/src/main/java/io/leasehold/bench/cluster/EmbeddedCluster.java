package io.leasehold.bench.cluster;

import io.leasehold.harness.process.Patience;
import io.leasehold.raft.RaftLeases;
import io.leasehold.store.Member;
import io.leasehold.store.StoreStatus.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Three nodes in this process, on loopback, with their logs synced to disk. Safe for many threads.
 */
public final class EmbeddedCluster implements ThreeNodes {

  private static final Duration ELECTION_LIMIT = Duration.ofSeconds(60);

  private final List<RaftLeases> nodes;

  private EmbeddedCluster(List<RaftLeases> nodes) {
    this.nodes = nodes;
  }

  /**
   * Starts the nodes.
   *
   * @param folder where they keep their state
   */
  public static EmbeddedCluster start(Path folder) {
    ClusterPlan plan = ClusterPlan.ofThree(folder);
    EmbeddedCluster cluster = new EmbeddedCluster(new ArrayList<>());
    try {
      for (Member member : plan.members()) {
        cluster.nodes.add(RaftLeases.start(plan.configOf(member.id())));
      }
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  @Override
  public RaftLeases nodeAt(Place place) {
    return Quorum.await(Patience.until("an election", ELECTION_LIMIT, () -> find(place)));
  }

  private Optional<RaftLeases> find(Place place) {
    if (nodes.stream().noneMatch(EmbeddedCluster::leads)) {
      return Optional.empty();
    }
    return nodes.stream().filter(node -> leads(node) == (place == Place.LEADER)).findFirst();
  }

  private static boolean leads(RaftLeases node) {
    return node.status().role() == Role.LEADER;
  }

  @Override
  public List<Long> pids() {
    return List.of(ProcessHandle.current().pid());
  }

  /** Stops the nodes, all at once: the last ones would wait in vain for a majority. */
  @Override
  public void close() {
    nodes.parallelStream().forEach(RaftLeases::close);
  }
}
