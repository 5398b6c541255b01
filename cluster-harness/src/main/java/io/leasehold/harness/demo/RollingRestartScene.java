package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.NodeProcess;
import io.leasehold.harness.wire.AcquireAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Every node is ended in order and started again, as for a new version, while all others work. */
final class RollingRestartScene {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration EXIT_MAX = Duration.ofSeconds(20);
  private static final int LEASES = 10;

  private final Stage stage;

  /** Of each lease that is held: its token. */
  private final Map<String, Long> tokens = new TreeMap<>();

  RollingRestartScene(Stage stage) {
    this.stage = stage;
  }

  void play() {
    stage.scene("rolling-restart", "All nodes are restarted, one after the other");
    List<String> nodes = stage.leaderLast();
    nodes.forEach(this::acquireAll);
    stage.say(
        "Each node holds %d leases (time to live %s), and callers cycle on all of them."
            .formatted(LEASES, Figures.of(TTL)));
    long cycles;
    Duration longest;
    try (Load load = Load.on(stage)) {
      for (String restarted : nodes) {
        restart(restarted, nodes);
      }
      cycles = load.cycles();
      longest = load.longestGap();
    }
    stage.promise(
        cycles > 0,
        "Others went on acquiring and releasing: %d times".formatted(cycles),
        "the longest time without: " + Figures.of(longest));
  }

  private List<String> leasesOf(String node) {
    List<String> leases = new ArrayList<>();
    for (int i = 0; i < LEASES; i++) {
      leases.add("held-by-" + node + "-" + i);
    }
    return leases;
  }

  private void acquireAll(String node) {
    for (String lease : leasesOf(node)) {
      AcquireAnswer answer = NodeClient.await(stage.acquire(node, lease, TTL, TTL));
      if (!answer.acquired() || answer.fencingToken() == null) {
        throw new SceneFailedException(node + " has not got the lease " + lease);
      }
      tokens.put(lease, answer.fencingToken());
    }
  }

  private void restart(String node, List<String> nodes) {
    NodeProcess process = stage.cluster().process(node);
    boolean led = stage.cluster().leader().equals(node);
    long start = System.nanoTime();
    process.terminate();
    int code = process.awaitExit(EXIT_MAX);
    stage.say(
        "kill -TERM %d: %s%s has ended with code %d, after %s"
            .formatted(
                process.pid(),
                node,
                led ? ", which led," : "",
                code,
                Figures.of(Stage.since(start))));
    stage.cluster().restart(node);
    stage.say("%s serves again, after %s".formatted(node, Figures.of(Stage.since(start))));
    List<String> stayed = nodes.stream().filter(other -> !other.equals(node)).toList();
    stage.promise(
        stayed.stream().allMatch(this::holdsAll),
        "The %d leases of %s are held as before, with the same tokens"
            .formatted(LEASES * stayed.size(), String.join(" and ", stayed)),
        "");
    acquireAll(node);
  }

  private boolean holdsAll(String node) {
    return leasesOf(node).stream()
        .allMatch(
            lease -> {
              var handle = NodeClient.await(stage.node(node).find(lease, Stage.owner(node)));
              return handle.alive() && Objects.equals(tokens.get(lease), handle.fencingToken());
            });
  }
}
