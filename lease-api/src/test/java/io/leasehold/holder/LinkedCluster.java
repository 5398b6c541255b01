package io.leasehold.holder;

import io.leasehold.Lease;
import io.leasehold.LeaseProvider;
import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.Scene;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that are clients of one server, each by a link of its own, as the contract kit's subject in
 * real time. What can be done to them is what can be done to a link; a crash is a link that is
 * never mended.
 */
final class LinkedCluster implements ContractCluster {

  private static final Duration WARM_UP_TTL = Duration.ofSeconds(30);

  private final LinkedClusters all;
  private final Map<String, Node> nodes = new HashMap<>();

  LinkedCluster(LinkedClusters all) {
    this.all = all;
  }

  /** The client and its link outlive the provider, for they are costly to open. */
  private final class Node {

    private final CuttableLink link = CuttableLink.to(all.port());
    private final LinkedClusters.Client client = all.open(link.url());
    private @Nullable LeaseProvider leases;

    LeaseProvider leases() {
      LeaseProvider present = leases;
      if (present == null) {
        present = client.newLeases();
        leases = present;
      }
      return present;
    }

    void closeLeases() {
      if (leases != null) {
        leases.close();
        leases = null;
      }
    }

    void end() {
      closeLeases();
      link.close();
      client.close();
    }
  }

  private Node running(String name) {
    return nodes.computeIfAbsent(name, absent -> new Node());
  }

  @Override
  public Set<Capability> capabilities() {
    Set<Capability> capabilities =
        EnumSet.of(
            Capability.DISCONNECT,
            Capability.DEAFEN,
            Capability.CRASH,
            Capability.BLOCKING_CALLBACKS);
    capabilities.addAll(all.more());
    return capabilities;
  }

  @Override
  public LeaseProvider node(String name) {
    return running(name).leases();
  }

  @Override
  public void advance(Duration duration) {
    try {
      boolean unusedNever = new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException("the test was interrupted", interrupted);
    }
  }

  @Override
  public Ticker time() {
    return System::nanoTime;
  }

  @Override
  public Duration ttl() {
    return all.ttl();
  }

  @Override
  public int rounds() {
    return 20;
  }

  @Override
  public void close(String node) {
    running(node).closeLeases();
  }

  @Override
  public void disconnect(String node) {
    running(node).link.cut();
  }

  @Override
  public void deafen(String node) {
    running(node).link.deafen();
  }

  @Override
  public void reconnect(String node) {
    running(node).link.mend();
  }

  @Override
  public void crash(String name) {
    Node node = running(name);
    node.link.cut();
    nodes.remove(name);
    // It cannot release anything, which takes its time.
    Thread end = new Thread(node::end, "crash");
    end.setDaemon(true);
    end.start();
  }

  /** Mends the links, so that the cluster is ready for another rule. */
  @Override
  public void close() {
    for (Node node : nodes.values()) {
      node.link.mend();
      node.closeLeases();
    }
    all.giveBack(this);
  }

  /** Opens all nodes, and has each of them answered. */
  void warmUp() {
    Scene scene = new Scene(this);
    for (String node : List.of(Scene.N1, Scene.N2, Scene.N3)) {
      Lease lease = scene.cluster().node(node).lease(scene.settings(node).withTtl(WARM_UP_TTL));
      scene.hold(lease);
      scene.release(lease);
    }
  }

  void shutDown() {
    nodes.values().forEach(Node::end);
    nodes.clear();
  }
}
