package io.leasehold.harness.shards;

import io.leasehold.LeaseInspector;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Three nodes in virtual time, with a network that delays and loses messages, and faults by seed. A
 * message may be on its way for longer than a lease lasts.
 */
final class SimulatedShards implements AutoCloseable {

  static final List<String> NODES = List.of("n1", "n2", "n3");
  static final Duration TTL = Duration.ofSeconds(2);
  static final int SHARDS = 40;

  private static final Duration CLAIM_PAUSE = Duration.ofMillis(100);
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(6);
  private static final Duration REGION_LIMIT = Duration.ofSeconds(1);

  private final Random random;
  private final VirtualTime time = new VirtualTime();
  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
  private final ShardSettings settings = new ShardSettings(NODES, TTL);
  private final Network network = new Network();
  private final Map<String, SimulatedProcess> processes = new LinkedHashMap<>();
  private final List<List<ShardEvent>> parts = new ArrayList<>();

  SimulatedShards(long seed) {
    random = new Random(seed);
    NODES.forEach(this::start);
    claim();
  }

  VirtualTime time() {
    return time;
  }

  /** What each process has written down so far. */
  List<List<ShardEvent>> parts() {
    return parts;
  }

  SimulatedProcess process(String node) {
    return Objects.requireNonNull(processes.get(node));
  }

  void start(String node) {
    SimulatedProcess process =
        new SimulatedProcess(node, settings, cluster.node(node), time, network, random);
    processes.put(node, process);
    parts.add(process.events());
  }

  /** Also what is paused tells: what it would believe at its first instruction. */
  private void claim() {
    processes.values().stream()
        .filter(process -> !process.isDead())
        .forEach(process -> process.node().claim());
    var unused = time.schedule(CLAIM_PAUSE, this::claim);
  }

  /** Asks some nodes for some shards. */
  void ask() {
    for (int i = random.nextInt(6); i > 0; i--) {
      process(anyNode()).request("s" + random.nextInt(SHARDS));
    }
  }

  /** Asks one node for one shard. */
  CompletableFuture<Allocation> ask(String node, String shard) {
    return process(node).node().request(shard).toCompletableFuture();
  }

  void passTime() {
    time.advance(Duration.ofMillis(random.nextInt(1_000)));
  }

  /** Does some harm, or mends it. */
  void harm() {
    String node = anyNode();
    SimulatedProcess process = process(node);
    if (process.isDead()) {
      start(node);
      return;
    }
    switch (random.nextInt(10)) {
      case 0 -> crash(node);
      case 1, 2, 3 -> {
        if (process.isPaused()) {
          resume(node);
        } else {
          pause(node);
        }
      }
      case 4, 5 -> {
        if (!network.cutOff.remove(node)) {
          network.cutOff.add(node);
          cluster.disconnect(node);
        } else {
          cluster.reconnect(node);
        }
      }
      case 6 -> {
        if (!network.deaf.remove(node)) {
          network.deaf.add(node);
        }
      }
      case 7 -> revoke(settings.coordinatorLease(node).name());
      case 8 -> revoke(settings.regionLease(node).name());
      default -> {
        if (!process.isPaused() && !network.cutOff.contains(node)) {
          process.close();
        }
      }
    }
  }

  void crash(String node) {
    cluster.crash(node);
    process(node).crash();
  }

  void pause(String node) {
    cluster.pause(node);
    process(node).pause();
  }

  /** Nobody knows what comes first on waking up. */
  void resume(String node) {
    if (random.nextBoolean()) {
      process(node).resume();
      cluster.resume(node);
    } else {
      cluster.resume(node);
      process(node).resume();
    }
  }

  /** Has no message take long any more. */
  void calm() {
    network.calm = true;
  }

  /** Mends all there is to mend. */
  void heal() {
    calm();
    network.deaf.clear();
    network.cutOff.forEach(cluster::reconnect);
    network.cutOff.clear();
    for (String node : NODES) {
      if (process(node).isDead()) {
        start(node);
      } else if (process(node).isPaused()) {
        resume(node);
      }
    }
  }

  /** How many requests have neither been answered nor rejected. */
  long unanswered() {
    return processes.values().stream().mapToLong(SimulatedProcess::unanswered).sum();
  }

  private void revoke(String lease) {
    LeaseInspector inspector = cluster.node("operator").inspector();
    inspector
        .find(lease)
        .toCompletableFuture()
        .join()
        .ifPresent(
            held -> {
              var unused = inspector.revoke(lease, held.fencingToken(), "a test");
            });
  }

  private String anyNode() {
    return NODES.get(random.nextInt(NODES.size()));
  }

  /** In order, where that is possible; or the nodes would complain of the store. */
  @Override
  public void close() {
    processes.values().stream()
        .filter(process -> !process.isDead() && !process.isPaused())
        .forEach(process -> process.node().close());
    cluster.close();
  }

  /** What lies between the nodes. */
  final class Network {

    /** From the others, and from the store. */
    private final Set<String> cutOff = new HashSet<>();

    /** From the others alone. */
    private final Set<String> deaf = new HashSet<>();

    private boolean calm;

    Peers peersOf(String node, SimulatedProcess process) {
      return new Peers() {
        @Override
        public CompletionStage<RegionReport> takeOver(String to, long token) {
          return call(to, REGION_LIMIT, there -> there.takeOver(token));
        }

        @Override
        public CompletionStage<Verdict> allocate(Allocation allocation) {
          return call(allocation.region().node(), REGION_LIMIT, there -> there.accept(allocation));
        }

        @Override
        public CompletionStage<Allocation> request(String to, String shard) {
          return call(to, REQUEST_LIMIT, there -> there.requestHere(shard));
        }

        private <T> CompletionStage<T> call(
            String to, Duration limit, Function<ShardNode, CompletionStage<T>> question) {
          CompletableFuture<T> answer = new CompletableFuture<>();
          var unusedLimit =
              process.schedule(
                  limit, () -> answer.completeExceptionally(new TimeoutException("no answer")));
          deliver(
              node,
              to,
              there ->
                  question
                      .apply(there.node())
                      .whenComplete(
                          (value, failure) ->
                              deliver(
                                  to,
                                  node,
                                  here -> {
                                    if (failure == null) {
                                      answer.complete(value);
                                    } else {
                                      answer.completeExceptionally(failure);
                                    }
                                  })));
          return answer;
        }
      };
    }

    private void deliver(String from, String to, Consumer<SimulatedProcess> task) {
      boolean lingers = !calm && random.nextInt(8) == 0;
      Duration delay = Duration.ofMillis(random.nextInt(lingers ? 6_000 : 20));
      var unused =
          time.schedule(
              delay,
              () -> {
                if (from.equals(to) || (reaches(from) && reaches(to))) {
                  SimulatedProcess there = process(to);
                  there.run(() -> task.accept(there));
                }
              });
    }

    private boolean reaches(String node) {
      return !cutOff.contains(node) && !deaf.contains(node);
    }
  }
}
