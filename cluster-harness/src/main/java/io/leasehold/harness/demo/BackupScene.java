package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.node.NodeOptions;
import io.leasehold.harness.node.NodeSecurity;
import io.leasehold.harness.process.LocalCluster;
import io.leasehold.harness.process.NodePlan;
import io.leasehold.harness.wire.AcquireAnswer;
import io.leasehold.harness.wire.LeaseRow;
import io.leasehold.store.StoreNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What is held is saved, the cluster is lost, and a new one begins with what was saved. */
final class BackupScene {

  /** More than three nodes need to start on a busy machine. */
  private static final Duration TTL = Duration.ofMinutes(10);

  /** So little that its end can be waited for. */
  private static final Duration SHORT_TTL = Duration.ofSeconds(20);

  private static final int LEASES = 5;

  private final Stage stage;
  private final Path folder;

  BackupScene(Stage stage, Path folder) {
    this.stage = stage;
    this.folder = folder;
  }

  void play() {
    stage.scene("backup", "All that is held is saved, and a new cluster begins with it");
    String node = stage.leaderLast().get(0);
    for (int i = 0; i < LEASES; i++) {
      long unused = token(NodeClient.await(stage.acquire(node, "held-" + i, TTL, Duration.ZERO)));
    }
    long unusedToken =
        token(NodeClient.await(stage.acquire(node, "short", SHORT_TTL, Duration.ZERO)));
    Path file = NodeClient.await(stage.node(node).backup(folder.resolve("leases.zip")));
    stage.say(
        "%s holds %d leases (time to live %s). %s is saved."
            .formatted(node, LEASES, Figures.of(TTL), file.getFileName()));
    long last = token(NodeClient.await(stage.acquire(node, "later", TTL, Duration.ZERO)));
    Set<String> saved = names(NodeClient.await(stage.node(node).list()));
    saved.remove("later");
    stage.cluster().killAll();
    stage.say("One more lease is acquired, with token " + last + ", and all nodes are killed.");

    try (LocalCluster restored = LocalCluster.of(plans(file))) {
      stage.alsoLogs(restored);
      restored.startAll();
      String leader = restored.leader();
      stage.say("Three new nodes begin with the file; " + leader + " leads them.");
      long look = System.nanoTime(); // before the node looks: what is left is counted from then
      List<LeaseRow> held = NodeClient.await(restored.client(leader).list());
      stage.promise(
          names(held).equals(saved),
          "The new cluster holds what was saved, %d leases".formatted(saved.size()),
          "");
      AcquireAnswer fresh =
          NodeClient.await(restored.client(leader).acquire("later", "x", TTL, Duration.ZERO));
      stage.promise(
          token(fresh) > last,
          "Its first token, %d, is greater than the old cluster's last".formatted(token(fresh)),
          "");
      AcquireAnswer taken =
          NodeClient.await(
              restored.client(leader).acquire("short", "x", TTL, SHORT_TTL.multipliedBy(2)));
      Duration ended = Stage.since(look);
      Duration left = remaining(held, "short");
      stage.promise(
          taken.acquired() && ended.compareTo(left) >= 0,
          "A hold whose holder does not come back ends at its time, and not before",
          "%s were left, and it was granted again after %s"
              .formatted(Figures.of(left), Figures.of(ended)));
    }
  }

  private static Duration remaining(List<LeaseRow> rows, String lease) {
    return rows.stream()
        .filter(row -> row.name().equals(lease))
        .findFirst()
        .map(LeaseRow::remainingMillis)
        .map(Duration::ofMillis)
        .orElseThrow(() -> new SceneFailedException("nobody holds the lease " + lease));
  }

  /** As many nodes of another cluster, each of which has been made from the file. */
  private List<NodePlan> plans(Path file) {
    List<NodePlan> plans =
        LocalCluster.plan(folder.resolve("restored"), 3, NodePlan.SMALL_JVM).stream()
            .map(plan -> plan.withCluster("restored"))
            .toList();
    for (NodePlan plan : plans) {
      NodeOptions node =
          new NodeOptions(
              plan.cluster(),
              plan.id(),
              plan.members(),
              plan.folder(),
              plan.http(),
              plan.electionTimeout(),
              false,
              NodeSecurity.LOOPBACK);
      StoreNode.restore(file, node.store());
    }
    return plans;
  }

  private static Set<String> names(List<LeaseRow> rows) {
    return rows.stream().map(LeaseRow::name).collect(Collectors.toSet());
  }

  private static long token(AcquireAnswer answer) {
    if (answer.fencingToken() == null) {
      throw new SceneFailedException("a lease that nobody holds was not granted");
    }
    return answer.fencingToken();
  }
}
