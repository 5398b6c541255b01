package io.leasehold.raft;

import static org.awaitility.Awaitility.await;

import io.leasehold.LeaseProvider;
import io.leasehold.contract.ContractCluster;
import io.leasehold.raft.meters.HolderMeters;
import io.leasehold.store.Member;
import io.leasehold.store.StoreNode;
import io.leasehold.time.ExecutorTimer;
import io.leasehold.time.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Three nodes of a real cluster in this JVM: Ratis over loopback, RocksDB in a folder. A node's
 * line to its store can be cut, which is what a partition is to a holder.
 */
final class EmbeddedCluster implements ContractCluster {

  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final Duration TTL = Duration.ofSeconds(3);

  private final Path folder;
  private final Consumer<EmbeddedCluster> idle;
  private final List<Member> members;
  private final Map<String, Node> nodes = new HashMap<>();

  /**
   * @param idle is told when a rule has ended and all is whole again
   */
  EmbeddedCluster(Path folder, Consumer<EmbeddedCluster> idle) {
    this.folder = folder;
    this.idle = idle;
    this.members = freeMembers();
    NODES.forEach(this::start);
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.PAUSE));
  }

  @Override
  public LeaseProvider node(String name) {
    Node present = nodes.get(name);
    return present == null || present.isOver() ? start(name).leases : present.leases;
  }

  private Node start(String name) {
    StoreNode store = StoreNode.start(config(name).store());
    CuttableStore line = new CuttableStore(store);
    ExecutorTimer timer = new ExecutorTimer("lease-timer-" + name);
    CallbackExecutor callbacks = new CallbackExecutor(name, timer);
    RaftLeases leases =
        new RaftLeases(
            line,
            time(),
            timer,
            callbacks,
            RandomSessionIds.create(new SecureRandom()),
            config(name).holderSettings(),
            HolderMeters.NONE,
            List.of(store, timer, callbacks));
    Node node = new Node(leases, line, store);
    nodes.put(name, node);
    return node;
  }

  private RaftLeasesConfig config(String name) {
    return RaftLeasesConfig.of("contract", name, members, folder.resolve(name));
  }

  @Override
  public void advance(Duration duration) {
    try {
      // Nobody counts it down: real time has to pass.
      boolean counted = new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
      if (counted) {
        throw new IllegalStateException("nobody counts down");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Ticker time() {
    return System::nanoTime;
  }

  @Override
  public Duration ttl() {
    return TTL;
  }

  @Override
  public void disconnect(String name) {
    running(name).line.cut();
  }

  @Override
  public void deafen(String name) {
    running(name).line.deafen();
  }

  @Override
  public void reconnect(String name) {
    running(name).line.mend();
  }

  @Override
  public void crash(String name) {
    Node node = running(name);
    node.line.cut();
    node.store.close();
    node.crashed = true;
  }

  /** Ends a rule: whatever was broken is whole again for the next one. */
  @Override
  public void close() {
    nodes.values().forEach(node -> node.line.mend());
    NODES.forEach(this::node);
    idle.accept(this);
  }

  /** Waits until the cluster has begun, which takes a JVM that has just started a while. */
  void awaitLeader() {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                nodes.values().stream()
                    .allMatch(node -> node.leases.status().leader().isPresent()));
  }

  void shutDown() {
    for (Node node : nodes.values()) {
      node.line.mend();
      node.leases.close();
    }
  }

  private Node running(String name) {
    Node node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException("no such node: " + name);
    }
    return node;
  }

  private static List<Member> freeMembers() {
    List<ServerSocket> taken = new ArrayList<>();
    try {
      List<Member> members = new ArrayList<>();
      for (String name : NODES) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        taken.add(socket);
        members.add(new Member(name, "127.0.0.1", socket.getLocalPort()));
      }
      return members;
    } catch (IOException e) {
      throw new IllegalStateException("no free ports", e);
    } finally {
      taken.forEach(EmbeddedCluster::close);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Node {
    final RaftLeases leases;
    final CuttableStore line;
    final StoreNode store;
    boolean crashed;

    Node(RaftLeases leases, CuttableStore line, StoreNode store) {
      this.leases = leases;
      this.line = line;
      this.store = store;
    }

    boolean isOver() {
      return crashed || leases.isClosed();
    }
  }
}
