package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.Patience;
import io.leasehold.harness.wire.AcquireAnswer;
import io.leasehold.harness.wire.HandleView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The store's leader dies; whoever holds a lease on the other nodes does not notice. */
final class LeaderScene {

  /** Many times what an election takes, as the settings advise. */
  private static final Duration TTL = Duration.ofSeconds(9);

  private static final int LEASES_PER_NODE = 10;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(50);

  private final Stage stage;
  private final List<Hold> holds = new ArrayList<>();
  private int looks;
  private int doubts;

  LeaderScene(Stage stage) {
    this.stage = stage;
  }

  void play() {
    stage.scene("leader", "The leader is killed");
    List<String> nodes = stage.leaderLast();
    String leader = nodes.get(2);
    List<String> survivors = nodes.subList(0, 2);
    survivors.forEach(this::acquireAll);
    stage.say(
        "%s and %s hold %d leases with a time to live of %d s."
            .formatted(
                Stage.who(survivors.get(0)),
                Stage.who(survivors.get(1)),
                holds.size(),
                TTL.toSeconds()));
    long killed = System.nanoTime();
    stage.cluster().kill(leader);
    stage.say(
        "kill -9 %d: %s, which leads the store, is gone."
            .formatted(stage.cluster().process(leader).pid(), leader));

    String next = lookUntilAnotherLeads(leader);
    stage.say("%s leads now, %s later.".formatted(next, Figures.of(Stage.since(killed))));
    boolean granted = survivors.stream().allMatch(this::isGrantedANewLease);
    stage.promise(
        granted,
        "The store grants new leases under its new leader",
        Figures.of(Stage.since(killed)) + " after the kill");
    look();
    stage.promise(
        doubts == 0,
        "None of the %d leases was lost, nor was any checkAlive() false meanwhile"
            .formatted(holds.size()),
        looks + " looks");
    stage.promise(
        holds.stream().allMatch(this::hasItsToken),
        "Each of them still has the token it was granted with",
        "");

    long restarted = System.nanoTime();
    stage.cluster().restart(leader);
    stage.say(
        "%s is started again and follows, after %s."
            .formatted(leader, Figures.of(Stage.since(restarted))));
  }

  private void acquireAll(String node) {
    for (int i = 0; i < LEASES_PER_NODE; i++) {
      String lease = "shard-" + holds.size();
      AcquireAnswer answer = NodeClient.await(stage.acquire(node, lease, TTL, Duration.ZERO));
      Long token = answer.fencingToken();
      if (token == null) {
        throw new SceneFailedException(Stage.who(node) + " was not granted " + lease);
      }
      holds.add(new Hold(node, lease, token));
    }
  }

  private String lookUntilAnotherLeads(String former) {
    CompletableFuture<String> next =
        CompletableFuture.supplyAsync(() -> stage.cluster().leaderOtherThan(former));
    while (!next.isDone()) {
      look();
      Patience.rest(BETWEEN_LOOKS);
    }
    return next.join();
  }

  private void look() {
    for (Hold hold : holds) {
      looks++;
      if (!stage.isAlive(hold.node(), hold.lease())) {
        doubts++;
      }
    }
  }

  private boolean isGrantedANewLease(String node) {
    return NodeClient.await(stage.acquire(node, "new-on-" + node, TTL, Duration.ZERO)).acquired();
  }

  private boolean hasItsToken(Hold hold) {
    HandleView view =
        NodeClient.await(stage.node(hold.node()).find(hold.lease(), Stage.owner(hold.node())));
    Long token = view.fencingToken();
    return view.alive() && token != null && token == hold.token();
  }

  private record Hold(String node, String lease, long token) {}
}
