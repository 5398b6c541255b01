package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.NodeProcess;
import io.leasehold.harness.wire.HolderView;
import io.leasehold.harness.wire.LeaseRow;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All nodes see the same, and one that is asked to end leaves nothing held. */
final class EndScene {

  private static final Duration TTL = Duration.ofSeconds(30);
  private static final int LEASES = 5;
  private static final int TRIES_MAX = 5;
  private static final Duration EXIT_MAX = Duration.ofSeconds(20);

  private final Stage stage;

  EndScene(Stage stage) {
    this.stage = stage;
  }

  void play() {
    stage.scene("end", "A node ends in order");
    List<String> nodes = stage.leaderLast();
    String leaving = nodes.get(0);
    for (int i = 0; i < LEASES; i++) {
      boolean unusedGranted =
          NodeClient.await(stage.acquire(leaving, "job-" + i, TTL, Duration.ZERO)).acquired();
    }
    List<List<Hold>> views = viewsOfOneMoment(nodes);
    stage.promise(
        views.stream().distinct().count() == 1 && countOf(leaving, views.get(0)) >= LEASES,
        "All three nodes see the same %d leases, with the same holders and tokens"
            .formatted(views.get(0).size()),
        "");

    NodeProcess process = stage.cluster().process(leaving);
    long held = countOf(leaving, holdsSeenBy(leaving));
    long start = System.nanoTime();
    process.terminate();
    int code = process.awaitExit(EXIT_MAX);
    Duration took = Stage.since(start);
    stage.promise(
        code == 0 && countOf(leaving, holdsSeenBy(nodes.get(1))) == 0,
        "kill -TERM %d: %s releases its %d leases and ends with code 0"
            .formatted(process.pid(), leaving, held),
        "within " + Figures.of(took));
  }

  /** What each node sees, while nothing changes from the first look to the last. */
  private List<List<Hold>> viewsOfOneMoment(List<String> nodes) {
    List<List<Hold>> views = List.of();
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      views = nodes.stream().map(this::holdsSeenBy).toList();
      if (holdsSeenBy(nodes.get(0)).equals(views.get(0))) {
        break;
      }
    }
    return views;
  }

  private List<Hold> holdsSeenBy(String node) {
    return NodeClient.await(stage.node(node).list()).stream().map(EndScene::hold).toList();
  }

  private static Hold hold(LeaseRow row) {
    return new Hold(row.name(), row.holder(), row.fencingToken());
  }

  private static long countOf(String node, List<Hold> holds) {
    return holds.stream()
        .filter(hold -> hold.holder() != null && hold.holder().node().equals(node))
        .count();
  }

  private record Hold(String lease, @Nullable HolderView holder, @Nullable Long token) {}
}
