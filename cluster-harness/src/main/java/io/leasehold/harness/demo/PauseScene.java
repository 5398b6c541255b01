package io.leasehold.harness.demo;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.process.Patience;
import io.leasehold.harness.wire.AcquireAnswer;
import io.leasehold.harness.wire.EventView;
import io.leasehold.harness.wire.HandleView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The holder's process stands still for longer than its time to live, then goes on. */
final class PauseScene {

  private static final String LEASE = "ledger";

  private final Stage stage;

  PauseScene(Stage stage) {
    this.stage = stage;
  }

  void play() {
    stage.scene("pause", "The holder is paused");
    List<String> nodes = stage.leaderLast();
    String holder = nodes.get(0);
    String contender = nodes.get(1);
    List<EventView> losses = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> listening = listen(holder, losses);

    AcquireAnswer first = NodeClient.await(stage.acquire(holder, LEASE, Stage.TTL, Duration.ZERO));
    CompletableFuture<AcquireAnswer> waiting =
        stage.acquire(contender, LEASE, Stage.TTL, Duration.ofMinutes(1));
    stage.say(
        "%s holds the lease \"%s\", %s waits in line."
            .formatted(Stage.who(holder), LEASE, Stage.who(contender)));
    long paused = System.nanoTime();
    stage.cluster().pause(holder);
    stage.say(
        "kill -STOP %d: %s stands still, as in a long garbage collection."
            .formatted(stage.cluster().process(holder).pid(), holder));
    AcquireAnswer second = NodeClient.await(waiting);
    stage.promise(
        second.acquired(),
        "%s takes over while %s stands still".formatted(Stage.who(contender), holder),
        Figures.of(Stage.since(paused)) + " after the pause began");

    // Asked while it stands still, so that this is the first thing it is asked when it wakes.
    CompletableFuture<HandleView> asked = stage.node(holder).find(LEASE, Stage.owner(holder));
    stage.cluster().resume(holder);
    HandleView woken = NodeClient.await(asked);
    stage.promise(
        !woken.alive(),
        "kill -CONT: %s goes on, and its very first checkAlive() is false".formatted(holder),
        "it stood still for " + Figures.of(Stage.since(paused)));

    awaitLoss(losses);
    stage.promise(
        stage.isAlive(contender, LEASE) && !stage.isAlive(holder, LEASE),
        "checkAlive() is true for %s alone".formatted(Stage.who(contender)),
        "");
    // By now the node has heard of its loss from its clock, its replica and the store alike.
    boolean unusedReleased = stage.release(contender, LEASE);
    Long token = first.fencingToken();
    stage.promise(
        losses.size() == 1 && token != null && token.equals(losses.get(0).fencingToken()),
        "onLost was called exactly once, for the hold with token " + token,
        losses.stream().map(loss -> loss.reason() + "").collect(Collectors.joining(", ")));
    listening.cancel(true);
  }

  private CompletableFuture<Void> listen(String node, List<EventView> losses) {
    CompletableFuture<Boolean> began = new CompletableFuture<>();
    CompletableFuture<Void> listening =
        stage
            .node(node)
            .events(
                event -> {
                  began.complete(true);
                  if (event.event().equals("lost") && LEASE.equals(event.name())) {
                    losses.add(event);
                  }
                });
    boolean unusedBegan = began.orTimeout(10, TimeUnit.SECONDS).join();
    return listening;
  }

  private static void awaitLoss(List<EventView> losses) {
    Patience.until(
        "a call of onLost",
        Duration.ofSeconds(10),
        () -> losses.isEmpty() ? Optional.empty() : Optional.of(true));
  }
}
