package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.NodePlan;
import io.leasehold.harness.process.Patience;
import io.leasehold.harness.wire.StatusView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A node loses all that it had on disk, and takes its place again. */
final class WipedDiskScene {

  private static final Duration SEEN_MAX = Duration.ofSeconds(30);

  private final Stage stage;
  private final Holdings holdings;

  WipedDiskScene(Stage stage) {
    this.stage = stage;
    this.holdings = new Holdings(stage);
  }

  void play() {
    stage.scene("wiped-disk", "A node loses its disk");
    List<String> nodes = stage.leaderLast();
    String wiped = nodes.get(0);
    List<String> others = nodes.subList(1, nodes.size());
    others.forEach(holdings::acquire);
    NodePlan plan = stage.cluster().plan(wiped);
    stage.cluster().kill(wiped);
    Play.remove(plan.store());
    stage.say(
        "kill -9 %d, and all that %s had is deleted. The others hold %d leases each, and callers cycle on them."
            .formatted(stage.cluster().process(wiped).pid(), wiped, Holdings.LEASES));
    try (Load load = Load.on(stage)) {
      stage.cluster().launch(wiped);
      StatusView seen = awaitWaiting(wiped);
      stage.promise(
          !isServing(wiped),
          wiped + " is started again and serves nobody, for it has forgotten what it promised",
          "");
      stage.say("It says: " + seen.waitsFor());
      holdings.promiseHeld(others);

      long start = System.nanoTime();
      StatusView after =
          NodeClient.await(stage.node(others.get(0)).addMember(wiped, plan.address()));
      stage.say(
          "members add %s=%s: done, after %s"
              .formatted(wiped, plan.address(), Figures.of(Stage.since(start))));
      stage.cluster().awaitServing(wiped);
      stage.promise(
          after.members().size() == nodes.size(),
          "%s serves again, and there are as many members as before".formatted(wiped),
          "after " + Figures.of(Stage.since(start)));
      holdings.promiseHeld(others);
      holdings.acquire(wiped);
      load.promiseServed();
    }
    stage.promiseSame(nodes);
    String other = others.get(others.size() - 1);
    stage.cluster().kill(other);
    stage.say(
        "kill -9 %d: %s is gone, so %s is needed for a majority."
            .formatted(stage.cluster().process(other).pid(), other, wiped));
    holdings.acquire(wiped);
    holdings.promiseHeld(List.of(wiped, others.get(0)));
  }

  private StatusView awaitWaiting(String node) {
    return Patience.until(
        node + " to say why it does not serve",
        SEEN_MAX,
        () -> {
          try {
            StatusView status = NodeClient.await(stage.node(node).status());
            return Optional.of(status)
                .filter(view -> view.waitsFor() != null && view.waitsFor().contains("members add"));
          } catch (NodeCallException notYet) {
            return Optional.empty();
          }
        });
  }

  private boolean isServing(String node) {
    try {
      return NodeClient.await(stage.node(node).health()).healthy();
    } catch (NodeCallException e) {
      return false;
    }
  }
}
