package io.leasehold.harness.up;

import io.leasehold.harness.up.ClusterView.Sample;
import io.leasehold.harness.wire.EventView;
import io.leasehold.harness.wire.LeaseRow;
import io.leasehold.harness.wire.StatusView;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the whole cluster. The nodes' events are always read; how they are is only asked
 * while somebody looks. Confined to the loop.
 */
final class Overview {

  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration LEASES_MAX = Duration.ofSeconds(3);

  /** Each question to a majority costs a log entry, so they are few. */
  private static final int TICKS_PER_SAMPLE = 2;

  private static final Duration BETWEEN_LEASES = Duration.ofMillis(150);
  private static final int SAMPLES_MAX = 121;

  private final String run = UUID.randomUUID().toString();
  private final Playground playground;
  private final Executor loop;
  private final Timer timer;
  private final Waits waits;
  private final History history;
  private final Runnable onChange;
  private final List<NodeLook> nodes;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private boolean isWatched;
  private boolean isLoaded;
  private long ticks;
  private long sampleCount;
  private @Nullable Measure before;
  private @Nullable List<LeaseRow> leases;
  private long leasesAtNanos = System.nanoTime();
  private @Nullable String leasesNote;
  private @Nullable CompletableFuture<?> leasesAsked;
  private boolean leasesWanted;

  /** What samples are the differences of. */
  private record Measure(long atNanos, long applied, long changes) {}

  /**
   * @param onChange run, on the loop, when there is something new to see
   */
  Overview(
      Playground playground,
      Executor loop,
      Timer timer,
      Waits waits,
      History history,
      Runnable onChange) {
    this.playground = playground;
    this.loop = loop;
    this.timer = timer;
    this.waits = waits;
    this.history = history;
    this.onChange = onChange;
    this.nodes =
        playground.ids().stream()
            .map(id -> new NodeLook(id, playground, loop, event -> heard(id, event)))
            .toList();
  }

  /** Begins to look, and goes on for ever. */
  void tick() {
    nodes.forEach(NodeLook::listen);
    if (isWatched && ticks++ % TICKS_PER_SAMPLE == 0) {
      look();
      sample();
    } else if (isWatched) {
      nodes.forEach(node -> node.askStatus(onChange));
    }
    var unused = timer.schedule(TICK, this::tick);
  }

  /** Asks all nodes how they are now. */
  void look() {
    nodes.forEach(node -> node.ask(onChange));
    askLeases();
  }

  /** Whether somebody looks from now on. */
  void setWatched(boolean now) {
    if (now && !isWatched) {
      before = null;
      leases = null; // as old as the last look
      look();
    }
    isWatched = now;
  }

  void setLoaded(boolean now) {
    isLoaded = now;
    onChange.run();
  }

  private void heard(String node, EventView event) {
    if (history.heard(node, event)) {
      onChange.run();
      if (isWatched) {
        askLeases();
      }
    }
  }

  private void askLeases() {
    if (leasesAsked != null) {
      leasesWanted = true;
      return;
    }
    leasesWanted = false;
    Optional<String> node = serving();
    if (node.isEmpty()) {
      leasesNote = "No node serves now, so who holds what is as it was last seen.";
      onChange.run();
      return;
    }
    CompletableFuture<List<LeaseRow>> answer =
        playground.client(node.get()).withTimeout(LEASES_MAX).list();
    leasesAsked = answer;
    var unused =
        answer.whenComplete((now, failure) -> loop.execute(() -> heardLeases(now, failure)));
  }

  private void heardLeases(@Nullable List<LeaseRow> now, @Nullable Throwable failure) {
    if (now != null) {
      leases = now;
      leasesAtNanos = System.nanoTime();
      leasesNote = null;
    } else {
      leasesNote = "Who holds what is as it was last seen: " + message(failure);
    }
    onChange.run();
    var unused = timer.schedule(BETWEEN_LEASES, this::askLeasesAgain);
  }

  private void askLeasesAgain() {
    leasesAsked = null;
    if (leasesWanted) {
      askLeases();
    }
  }

  private static String message(@Nullable Throwable failure) {
    return failure == null ? "unknown" : String.valueOf(failure.getMessage());
  }

  /** A node that serves, the leader if it does. */
  Optional<String> serving() {
    String leader = leader();
    Optional<String> leading =
        nodes.stream()
            .filter(node -> node.isServing() && node.id().equals(leader))
            .map(NodeLook::id)
            .findFirst();
    return leading.isPresent()
        ? leading
        : nodes.stream().filter(NodeLook::isServing).map(NodeLook::id).findFirst();
  }

  /** Who leads as the newest term has it. */
  private @Nullable String leader() {
    StatusView newest = newest();
    return newest == null ? null : newest.leader();
  }

  /** A node that is cut off may take itself for the leader of an older term. */
  private @Nullable StatusView newest() {
    StatusView newest = null;
    for (NodeLook node : nodes) {
      StatusView said = node.isRunning() && !playground.isCutOff(node.id()) ? node.status() : null;
      boolean isNewer =
          said != null
              && (newest == null
                  || said.term() > newest.term()
                  || (said.term() == newest.term() && newest.leader() == null));
      if (isNewer) {
        newest = said;
      }
    }
    return newest;
  }

  private void sample() {
    long applied = 0;
    Map<String, Double> latency = new HashMap<>();
    for (NodeLook node : nodes) {
      StatusView said = node.status();
      applied = Math.max(applied, said == null ? 0 : said.appliedIndex());
      Double millis = node.latencyMillis();
      if (millis != null && node.isRunning()) {
        latency.put(node.id(), millis);
      }
    }
    Measure now = new Measure(System.nanoTime(), applied, history.changes());
    Measure then = before;
    if (then != null && then.applied() > 0) {
      double seconds = (now.atNanos() - then.atNanos()) / 1e9;
      double entries = Math.max(0, now.applied() - then.applied()) / seconds;
      samples.addLast(
          new Sample(++sampleCount, entries, (now.changes() - then.changes()) / seconds, latency));
      if (samples.size() > SAMPLES_MAX) {
        samples.removeFirst();
      }
      onChange.run();
    }
    if (applied > 0) {
      before = now;
    }
  }

  /** The samples after the one with a number, as far as they are kept. */
  List<Sample> samplesAfter(long number) {
    return samples.stream().filter(sample -> sample.number() > number).toList();
  }

  History history() {
    return history;
  }

  ClusterView view() {
    StatusView newest = newest();
    return new ClusterView(
        run,
        leader(),
        newest == null ? 0 : newest.term(),
        nodes.stream().map(NodeLook::view).toList(),
        leases,
        (System.nanoTime() - leasesAtNanos) / 1_000_000,
        leasesNote,
        waits.all(),
        isLoaded);
  }
}
