package io.leasehold.bench.cluster;

import io.leasehold.harness.process.Patience;
import io.leasehold.raft.RaftLeases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Three nodes in three processes: two children, and one inside this process, which the callers use.
 * Confined to one thread, but for the provider that it hands out.
 */
public final class ProcessCluster implements ThreeNodes {

  private static final String OWN = "n3";
  private static final Duration ELECTION_LIMIT = Duration.ofSeconds(60);
  private static final int MOVES_MAX = 20;

  private final ClusterPlan plan;
  private final List<String> jvmOptions;
  private final List<ChildNode> children = new ArrayList<>();
  private @Nullable RaftLeases own;

  private ProcessCluster(ClusterPlan plan, List<String> jvmOptions) {
    this.plan = plan;
    this.jvmOptions = jvmOptions;
  }

  /**
   * Starts the nodes, in the order that makes it likely that the leader is in the right place.
   *
   * @param folder where they keep their state
   * @param jvmOptions options of the children's JVMs
   * @param place where this process's node should be
   */
  public static ProcessCluster start(Path folder, List<String> jvmOptions, Place place) {
    ProcessCluster cluster = new ProcessCluster(ClusterPlan.ofThree(folder), jvmOptions);
    try {
      switch (place) {
        case LEADER -> {
          // A node that waits for the others stands for election before they do.
          cluster.startOwn();
          cluster.startChild("n1").awaitQuorum();
          cluster.startChild("n2");
        }
        case FOLLOWER -> {
          cluster.startChild("n1");
          cluster.startChild("n2").awaitQuorum();
          cluster.startOwn();
        }
      }
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void startOwn() {
    own = RaftLeases.start(plan.configOf(OWN));
  }

  private ChildNode startChild(String id) {
    ChildNode child = ChildNode.start(plan, id, jvmOptions);
    children.add(child);
    return child;
  }

  /**
   * Returns the node of this process, once it leads, or does not. A leader in the wrong place is
   * closed, which hands the leadership over, and started again.
   */
  @Override
  public RaftLeases nodeAt(Place place) {
    for (int moves = 0; moves < MOVES_MAX; moves++) {
      String leader =
          Patience.until("an election", ELECTION_LIMIT, () -> running().status().leader());
      if (leader.equals(OWN) == (place == Place.LEADER)) {
        return Quorum.await(running());
      }
      restart(leader);
    }
    throw new IllegalStateException("the leadership does not go to a " + place);
  }

  private RaftLeases running() {
    if (own == null) {
      throw new IllegalStateException("this cluster is closed");
    }
    return own;
  }

  /** Returns a node in a process of its own that leads, or one that does not. */
  public ChildNode childAt(Place place) {
    String leader =
        Patience.until("an election", ELECTION_LIMIT, () -> running().status().leader());
    return children.stream()
        .filter(child -> child.id().equals(leader) == (place == Place.LEADER))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no child is a " + place + " of " + leader));
  }

  /** Starts a node again on its old folder, whether or not its process has ended yet. */
  public void restart(String id) {
    if (id.equals(OWN)) {
      running().close();
      startOwn();
      return;
    }
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i).id().equals(id)) {
        children.get(i).close();
        children.set(i, ChildNode.start(plan, id, jvmOptions));
      }
    }
  }

  /** Waits until a child has applied what this process's node had applied by now. */
  public void awaitCaughtUp(String id) {
    long index = running().status().appliedIndex();
    boolean unused =
        Patience.until(
            "catching up",
            ELECTION_LIMIT,
            () -> Optional.of(child(id).appliedIndex() >= index).filter(reached -> reached));
  }

  private ChildNode child(String id) {
    return children.stream().filter(child -> child.id().equals(id)).findFirst().orElseThrow();
  }

  @Override
  public List<Long> pids() {
    List<Long> pids = new ArrayList<>();
    pids.add(ProcessHandle.current().pid());
    children.forEach(child -> pids.add(child.pid()));
    return pids;
  }

  @Override
  public void close() {
    if (own != null) {
      own.close();
      own = null;
    }
    children.parallelStream().forEach(ChildNode::close);
    children.clear();
  }
}
