package io.leasehold.harness.up;

import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.up.ClusterView.NodeView;
import io.leasehold.harness.wire.EventView;
import io.leasehold.harness.wire.HealthView;
import io.leasehold.harness.wire.StatusView;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is known of one node, from asking it again and again. Confined to the loop. */
final class NodeLook {

  private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

  private final String id;
  private final Playground playground;
  private final Executor loop;
  private final NodeClient client;
  private final Consumer<EventView> onEvent;
  private @Nullable CompletableFuture<?> statusAsked;
  private @Nullable CompletableFuture<?> healthAsked;
  private @Nullable CompletableFuture<Void> stream;
  private @Nullable StatusView status;
  private @Nullable Boolean isHealthy;
  private @Nullable String note;
  private @Nullable Double latencyMillis;
  private long pid;

  /**
   * @param onEvent is told of what the node tells, on the loop
   */
  NodeLook(String id, Playground playground, Executor loop, Consumer<EventView> onEvent) {
    this.id = id;
    this.playground = playground;
    this.loop = loop;
    this.client = playground.client(id).withTimeout(ANSWER_MAX);
    this.onEvent = onEvent;
  }

  String id() {
    return id;
  }

  /** Whether the node's process runs and is not stopped. */
  boolean isRunning() {
    return playground.state(id) == Playground.Condition.RUNNING;
  }

  /** Whether the node serves, as far as is known. */
  boolean isServing() {
    return isRunning() && !playground.isCutOff(id) && Boolean.TRUE.equals(isHealthy);
  }

  /** What it said last of itself; null when it says nothing. */
  @Nullable StatusView status() {
    return status;
  }

  @Nullable Double latencyMillis() {
    return latencyMillis;
  }

  /** Sees to it that the node's events are read while it runs. */
  void listen() {
    if (!isRunning() || stream != null) {
      return;
    }
    CompletableFuture<Void> opened =
        client.events(event -> loop.execute(() -> onEvent.accept(event)));
    stream = opened;
    var unused = opened.whenComplete((ended, failure) -> loop.execute(() -> stream = null));
  }

  /**
   * Asks the node what it knows of itself and whether a majority answers it, unless it has yet to
   * answer the last time.
   *
   * @param onAnswer run, on the loop, when there is something new to see
   */
  void ask(Runnable onAnswer) {
    askStatus(onAnswer);
    if (!isRunning() || isUnderWay(healthAsked)) {
      return;
    }
    long start = System.nanoTime();
    CompletableFuture<HealthView> health = client.health();
    healthAsked = health;
    var unused =
        health.whenComplete(
            (now, failure) -> {
              double millis = (System.nanoTime() - start) / 1e6;
              loop.execute(() -> heardHealth(now, failure, millis, onAnswer));
            });
  }

  /** Asks the node only what it knows of itself. */
  void askStatus(Runnable onAnswer) {
    boolean isDown = playground.state(id) == Playground.Condition.DOWN;
    if (isDown || pid != playground.process(id).pid()) {
      forget();
      pid = playground.process(id).pid();
    }
    if (!isRunning() || isUnderWay(statusAsked)) {
      return;
    }
    CompletableFuture<StatusView> said = client.status();
    statusAsked = said;
    var unused =
        said.whenComplete((now, failure) -> loop.execute(() -> heardStatus(now, onAnswer)));
  }

  private static boolean isUnderWay(@Nullable CompletableFuture<?> question) {
    return question != null && !question.isDone();
  }

  private void forget() {
    status = null;
    isHealthy = null;
    note = null;
    latencyMillis = null;
  }

  private void heardStatus(@Nullable StatusView now, Runnable onAnswer) {
    if (isRunning()) {
      status = now;
      onAnswer.run();
    }
  }

  private void heardHealth(
      @Nullable HealthView now, @Nullable Throwable failure, double millis, Runnable onAnswer) {
    if (!isRunning()) {
      return;
    }
    if (now != null) {
      isHealthy = true;
      note = now.warning();
      latencyMillis = millis;
    } else {
      latencyMillis = null;
      boolean isSilent = failure instanceof NodeCallException call && call.status() == 0;
      if (isSilent && isHealthy == null) {
        note = null; // it is starting
      } else {
        isHealthy = false;
        note = failure == null ? null : failure.getMessage();
      }
    }
    onAnswer.run();
  }

  NodeView view() {
    Playground.Condition process = playground.state(id);
    boolean isDown = process == Playground.Condition.DOWN;
    StatusView said = isDown ? null : status;
    return new NodeView(
        id,
        process.name().toLowerCase(Locale.ROOT),
        playground.isCutOff(id),
        isDown ? null : playground.process(id).pid(),
        client.at().toString(),
        said == null ? null : said.role(),
        said == null ? 0 : said.term(),
        said == null ? 0 : said.appliedIndex(),
        process == Playground.Condition.RUNNING ? isHealthy : null,
        isDown ? playground.whyDown(id) : note,
        process == Playground.Condition.RUNNING ? latencyMillis : null);
  }
}
