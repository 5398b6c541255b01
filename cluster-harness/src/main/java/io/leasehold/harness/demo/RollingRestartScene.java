package io.leasehold.harness.demo;

import io.leasehold.harness.process.NodeProcess;
import java.time.Duration;
import java.util.List;

/** Every node is ended in order and started again, as for a new version, while all others work. */
final class RollingRestartScene {

  private static final Duration EXIT_MAX = Duration.ofSeconds(20);

  private final Stage stage;
  private final Holdings holdings;

  RollingRestartScene(Stage stage) {
    this.stage = stage;
    this.holdings = new Holdings(stage);
  }

  void play() {
    stage.scene("rolling-restart", "All nodes are restarted, one after the other");
    List<String> nodes = stage.leaderLast();
    nodes.forEach(holdings::acquire);
    stage.say(
        "Each node holds %d leases (time to live %s), and callers cycle on all of them."
            .formatted(Holdings.LEASES, Figures.of(Holdings.TTL)));
    try (Load load = Load.on(stage)) {
      for (String restarted : nodes) {
        restart(restarted, nodes);
      }
      load.promiseServed();
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
    holdings.promiseHeld(nodes.stream().filter(other -> !other.equals(node)).toList());
    holdings.acquire(node);
  }
}
