package io.leasehold.harness.process;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.StatusView;
import io.leasehold.store.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Node processes on loopback that form one cluster. However this process ends, none of them stays.
 * Safe for many threads; faults are made by one at a time.
 */
public final class LocalCluster implements AutoCloseable {

  private static final Duration READY_MAX = Duration.ofMinutes(2);
  private static final Duration LEADER_MAX = Duration.ofMinutes(1);
  private static final Duration TERMINATE_MAX = Duration.ofSeconds(15);
  private static final Duration STATUS_MAX = Duration.ofSeconds(2);

  private final Map<String, NodePlan> plans = new LinkedHashMap<>();
  private final Map<String, NodeProcess> running = new HashMap<>();
  private final Map<String, NodeClient> clients = new HashMap<>();
  private final Thread killAtExit = new Thread(this::killAll, "cluster-kill-at-exit");

  private LocalCluster(List<NodePlan> nodes) {
    var http = NodeClient.newHttp();
    for (NodePlan plan : nodes) {
      plans.put(plan.id(), plan);
      clients.put(plan.id(), NodeClient.of(http, plan.http()));
    }
  }

  /**
   * Starts nodes n1, n2 … and waits until they have a leader and serve.
   *
   * @param folder where their data goes; not removed in the end
   * @throws IllegalStateException when one does not start; says what it said
   */
  public static LocalCluster start(Path folder, int nodes) {
    return start(plan(folder, nodes, NodePlan.SMALL_JVM));
  }

  /** As {@link #start(Path, int)}, with plans from {@link #plan}. */
  public static LocalCluster start(List<NodePlan> nodes) {
    LocalCluster cluster = of(nodes);
    try {
      cluster.startAll();
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /** A cluster of which nothing runs yet. */
  public static LocalCluster of(List<NodePlan> nodes) {
    LocalCluster cluster = new LocalCluster(nodes);
    Runtime.getRuntime().addShutdownHook(cluster.killAtExit);
    return cluster;
  }

  /** Plans nodes n1, n2 … on free ports of loopback. */
  public static List<NodePlan> plan(Path folder, int nodes, List<String> jvmOptions) {
    List<Integer> ports = FreePorts.find(2 * nodes);
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      members.add(new Member("n" + (i + 1), HostPort.LOOPBACK, ports.get(i)));
    }
    List<NodePlan> plans = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      String id = members.get(i).id();
      HostPort http = new HostPort(HostPort.LOOPBACK, ports.get(nodes + i));
      plans.add(
          new NodePlan(
              "local",
              id,
              members,
              folder.resolve(id),
              http,
              NodePlan.PATIENT_ELECTION,
              jvmOptions));
    }
    return plans;
  }

  /** The names of all nodes, running or not. */
  public synchronized List<String> ids() {
    return List.copyOf(plans.keySet());
  }

  /** A client for a node, running or not. */
  public synchronized NodeClient client(String id) {
    NodeClient client = clients.get(id);
    if (client == null) {
      throw new IllegalArgumentException("there is no node " + id);
    }
    return client;
  }

  /** The process that runs, or ran last, as that node. */
  public synchronized NodeProcess process(String id) {
    NodeProcess process = running.get(id);
    if (process == null) {
      throw new IllegalArgumentException("node " + id + " was never started");
    }
    return process;
  }

  /**
   * Finds the leader that a majority of the nodes agrees on.
   *
   * @throws IllegalStateException when there is none for a minute
   */
  public String leader() {
    return leaderOtherThan("");
  }

  /** As {@link #leader()}, but waits for another one than the given. */
  public String leaderOtherThan(String former) {
    return Patience.until(
        "agreement on a leader",
        LEADER_MAX,
        () -> agreedLeader().filter(leader -> !leader.equals(former)));
  }

  /** Waits until every running node serves. */
  public void awaitServing() {
    for (String id : ids()) {
      if (process(id).isAlive()) {
        awaitServing(id);
      }
    }
  }

  /** Waits until a node serves. */
  public void awaitServing(String id) {
    NodeProcess process = process(id);
    process.awaitReady(READY_MAX);
    Patience.until(
        "health of " + id + " (its log is " + process.log() + ")",
        LEADER_MAX,
        () -> isHealthy(id) ? Optional.of(true) : Optional.empty());
  }

  /** Ends a node with SIGKILL. */
  public void kill(String id) {
    process(id).kill();
  }

  /** Stops a node with SIGSTOP. */
  public void pause(String id) {
    process(id).pause();
  }

  /** Lets a paused node go on. */
  public void resume(String id) {
    process(id).resume();
  }

  /** Starts a node that was killed, on its old folder, and waits until it serves. */
  public void restart(String id) {
    launch(id);
    awaitServing(id);
  }

  /** Starts a node that does not run, and does not wait until it serves. */
  public void launch(String id) {
    NodePlan plan = plan(id);
    synchronized (this) {
      if (isRunning(id)) {
        throw new IllegalStateException("node " + id + " runs already");
      }
      running.put(id, NodeProcess.start(plan));
    }
  }

  /** How a node is started. */
  public synchronized NodePlan plan(String id) {
    NodePlan plan = plans.get(id);
    if (plan == null) {
      throw new IllegalArgumentException("there is no node " + id);
    }
    return plan;
  }

  /** Counts a node in that is to become a member. It does not run yet. */
  public synchronized void include(NodePlan plan) {
    plans.put(plan.id(), plan);
    clients.put(plan.id(), NodeClient.of(plan.http()));
  }

  /** Counts a node out that is a member no more; its process stays what it is. */
  public synchronized void exclude(String id) {
    plans.remove(id);
  }

  /** Starts all nodes that do not run, together, and waits until all serve. */
  public void startAll() {
    for (String id : ids()) {
      if (!isRunning(id)) {
        launch(id);
      }
    }
    awaitServing();
  }

  /** Ends all nodes with SIGKILL. Idempotent. */
  public void killAll() {
    running().forEach(NodeProcess::kill);
  }

  /** The files to look into when something went wrong. */
  public synchronized List<Path> logs() {
    return plans.values().stream().map(NodePlan::log).toList();
  }

  /** Ends all nodes, in order where possible. Idempotent. */
  @Override
  public void close() {
    Collection<NodeProcess> all = running();
    all.forEach(NodeProcess::terminate);
    for (NodeProcess process : all) {
      try {
        process.awaitExit(TERMINATE_MAX);
      } catch (IllegalStateException late) {
        process.kill();
      }
    }
    try {
      Runtime.getRuntime().removeShutdownHook(killAtExit);
    } catch (IllegalStateException exiting) {
      // the hook is what runs now, or will: nothing of it is left to do
    }
  }

  private synchronized boolean isRunning(String id) {
    NodeProcess process = running.get(id);
    return process != null && process.isAlive();
  }

  private synchronized Collection<NodeProcess> running() {
    return running.values().stream().filter(NodeProcess::isAlive).toList();
  }

  private boolean isHealthy(String id) {
    try {
      return NodeClient.await(client(id).withTimeout(STATUS_MAX).health()).healthy();
    } catch (NodeCallException notYet) {
      return false;
    }
  }

  private Optional<String> agreedLeader() {
    Map<String, Integer> named = new HashMap<>();
    List<StatusView> views = statuses();
    for (StatusView view : views) {
      if (view.leader() != null) {
        named.merge(view.leader(), 1, Integer::sum);
      }
    }
    for (StatusView view : views) {
      Integer votes = named.get(view.node());
      if (view.role().equals("LEADER") && votes != null && votes > ids().size() / 2) {
        return Optional.of(view.node());
      }
    }
    return Optional.empty();
  }

  /** Asks all at a time: one that is paused keeps nobody waiting but itself. */
  private List<StatusView> statuses() {
    List<CompletableFuture<StatusView>> asked =
        running().stream().map(node -> client(node.id()).withTimeout(STATUS_MAX).status()).toList();
    List<StatusView> views = new ArrayList<>();
    for (CompletableFuture<StatusView> answer : asked) {
      try {
        views.add(NodeClient.await(answer));
      } catch (NodeCallException unknown) {
        // It has no vote in who leads.
      }
    }
    return views;
  }
}
