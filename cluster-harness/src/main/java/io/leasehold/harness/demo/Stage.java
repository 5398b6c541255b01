package io.leasehold.harness.demo;

import io.leasehold.harness.client.Digests;
import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.LocalCluster;
import io.leasehold.harness.process.NodePlan;
import io.leasehold.harness.wire.AcquireAnswer;
import io.leasehold.harness.wire.DigestView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What the scenes play on: the cluster, the narrator, the count of promises. Confined to one
 * thread, but for {@link #cancel}.
 */
final class Stage {

  /** The time to live that the scenes wait for. */
  static final Duration TTL = Duration.ofSeconds(3);

  /** How long a process may take to start, or to end, on a busy machine. */
  static final Duration START_MAX = Duration.ofMinutes(1);

  private final LocalCluster cluster;
  private final Narrator narrator;
  private final List<Path> logs = new ArrayList<>();
  private volatile boolean isCancelled;
  private int held;
  private int broken;

  Stage(LocalCluster cluster, Narrator narrator) {
    this.cluster = cluster;
    this.narrator = narrator;
    this.logs.addAll(cluster.logs());
  }

  LocalCluster cluster() {
    return cluster;
  }

  NodeClient node(String id) {
    return cluster.client(id);
  }

  void scene(String id, String title) {
    goOn();
    narrator.scene(id, title);
  }

  void say(String text) {
    goOn();
    narrator.say(text);
  }

  /** Puts a promise to the test. */
  void promise(boolean isHeld, String text, String detail) {
    goOn();
    if (isHeld) {
      held++;
    } else {
      broken++;
    }
    narrator.promise(isHeld, text, detail);
  }

  /** Another cluster plays a part, too. */
  void alsoLogs(LocalCluster other) {
    logs.addAll(other.logs());
  }

  /** Another node plays a part, too. */
  void alsoLogs(NodePlan other) {
    logs.add(other.log());
  }

  /** The files to look into when something went wrong. */
  List<Path> logs() {
    return logs;
  }

  int held() {
    return held;
  }

  int broken() {
    return broken;
  }

  /** Ends the play at its next word: the nodes are being taken away. Any thread. */
  void cancel() {
    isCancelled = true;
  }

  boolean isCancelled() {
    return isCancelled;
  }

  /** The owner that asks for leases on a node: a on n1, b on n2, c on n3. */
  static String owner(String node) {
    return String.valueOf((char) ('a' + node.charAt(node.length() - 1) - '1'));
  }

  /** How the narration names an owner on its node. */
  static String who(String node) {
    return owner(node) + " on " + node;
  }

  /** Has a node's owner ask for a lease. */
  CompletableFuture<AcquireAnswer> acquire(String node, String lease, Duration ttl, Duration wait) {
    return node(node).acquire(lease, owner(node), ttl, wait);
  }

  /** Has a node's owner release a lease. */
  boolean release(String node, String lease) {
    return NodeClient.await(node(node).release(lease, owner(node))).released();
  }

  /** Whether a node's owner can prove that it holds a lease; a node that does not answer cannot. */
  boolean isAlive(String node, String lease) {
    try {
      return NodeClient.await(node(node).find(lease, owner(node))).alive();
    } catch (NodeCallException silent) {
      return false;
    }
  }

  /** All nodes, the leader last. */
  List<String> leaderLast() {
    String leader = cluster.leader();
    return cluster.ids().stream()
        .sorted(Comparator.comparing((String id) -> id.equals(leader)))
        .toList();
  }

  /** Puts to the test that nodes hold the same after the same log entry. */
  void promiseSame(List<String> nodes) {
    List<DigestView> digests =
        Digests.afterTheSameEntry(nodes.stream().map(this::node).toList())
            .orElseThrow(() -> new SceneFailedException("the nodes are never at the same entry"));
    promise(
        Digests.areSame(digests),
        "%s have the same table, row by row".formatted(String.join(", ", nodes)),
        "after log entry " + digests.get(0).index());
  }

  static Duration since(long startNanos) {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }

  private void goOn() {
    if (isCancelled) {
      throw new SceneFailedException("interrupted");
    }
  }
}
