package io.leasehold.harness.up;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.LocalCluster;
import io.leasehold.harness.process.NodePlan;
import io.leasehold.harness.process.NodeProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A cluster of node processes that are killed, paused and cut off by hand. However this process
 * ends, none of them stays. Safe for many threads.
 */
final class Playground implements AutoCloseable {

  private final ClusterFolder folder;
  private final Links links;
  private final LocalCluster cluster;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Set<String> killed = new HashSet<>();

  @GuardedBy("lock")
  private boolean isClosed;

  private Playground(ClusterFolder folder, Links links, LocalCluster cluster) {
    this.folder = folder;
    this.links = links;
    this.cluster = cluster;
  }

  /** What is the case with a node's process. */
  enum Condition {
    DOWN,
    RUNNING,
    PAUSED
  }

  /** Opens the cluster in a folder, of which nothing runs yet. */
  static Playground open(ClusterFolder folder) {
    Ports ports = folder.ports();
    Links links = Links.open(ports);
    List<NodePlan> plans = new ArrayList<>();
    for (int node = 0; node < ports.nodes(); node++) {
      plans.add(
          new NodePlan(
              "up",
              Links.id(node),
              links.membersFor(node),
              folder.path().resolve(Links.id(node)),
              new HostPort(HostPort.LOOPBACK, ports.http(node)),
              NodePlan.PATIENT_ELECTION,
              NodePlan.SMALL_JVM));
    }
    return new Playground(folder, links, LocalCluster.of(plans));
  }

  /** Starts all nodes, without waiting until they serve. */
  void launch() {
    cluster.ids().forEach(id -> act(id, NodeAction.START));
  }

  /**
   * Waits until all serve.
   *
   * @throws IllegalStateException when one does not start; says what it said
   */
  void awaitServing() {
    cluster.awaitServing();
  }

  List<String> ids() {
    return cluster.ids();
  }

  ClusterFolder folder() {
    return folder;
  }

  /** A client for a node, running or not. */
  NodeClient client(String id) {
    return cluster.client(id);
  }

  /** The process that runs, or ran last, as that node. */
  NodeProcess process(String id) {
    return cluster.process(id);
  }

  /** How a node is. */
  Condition state(String id) {
    NodeProcess process = cluster.process(id);
    if (!process.isAlive()) {
      return Condition.DOWN;
    }
    return process.isPaused() ? Condition.PAUSED : Condition.RUNNING;
  }

  boolean isCutOff(String id) {
    return links.isCutOff(id);
  }

  /** Why a node that is down is down. */
  String whyDown(String id) {
    synchronized (lock) {
      if (killed.contains(id)) {
        return "It was killed.";
      }
    }
    String said = cluster.process(id).errorText();
    String last = said.substring(said.lastIndexOf('\n') + 1);
    return "It has ended by itself%s Its log is %s"
        .formatted(last.isBlank() ? "." : ": " + last, cluster.process(id).log());
  }

  /**
   * Does something to a node; returns when it is done.
   *
   * @throws IllegalStateException when it cannot be done as things are, with one sentence
   */
  void act(String id, NodeAction action) {
    synchronized (lock) {
      if (isClosed) {
        throw new IllegalStateException("the cluster is being ended");
      }
      switch (action) {
        case KILL -> kill(id);
        case START -> {
          cluster.launch(id);
          killed.remove(id);
        }
        case PAUSE -> running(id).pause();
        case RESUME -> running(id).resume();
        case CUT -> links.cut(id);
        case HEAL -> links.heal(id);
      }
    }
  }

  @GuardedBy("lock")
  private void kill(String id) {
    NodeProcess process = running(id);
    killed.add(id);
    process.kill();
  }

  private NodeProcess running(String id) {
    NodeProcess process = cluster.process(id);
    if (!process.isAlive()) {
      throw new IllegalStateException("node " + id + " does not run: start it first");
    }
    return process;
  }

  /** Kills all nodes; their data stays if its folder does. Idempotent. */
  @Override
  public void close() {
    synchronized (lock) {
      if (isClosed) {
        return;
      }
      isClosed = true;
      cluster.killAll();
      links.close();
      folder.leave();
    }
  }
}
