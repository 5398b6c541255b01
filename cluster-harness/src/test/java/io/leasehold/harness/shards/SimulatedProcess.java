package io.leasehold.harness.shards;

import io.leasehold.LeaseProvider;
import io.leasehold.harness.shards.SimulatedShards.Network;
import io.leasehold.time.Timer;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** One life of a node's process in virtual time: what it is to do waits while it is paused. */
final class SimulatedProcess implements Timer {

  private final VirtualTime time;
  private final LeaseProvider leases;
  private final ShardNode node;
  private final List<ShardEvent> events = new ArrayList<>();
  private final List<CompletableFuture<Allocation>> requests = new ArrayList<>();
  private final Queue<Runnable> postponed = new ArrayDeque<>();
  private boolean paused;
  private boolean dead;

  SimulatedProcess(
      String name,
      ShardSettings settings,
      LeaseProvider leases,
      VirtualTime time,
      Network network,
      RandomGenerator random) {
    this.time = time;
    this.leases = leases;
    this.node =
        ShardNode.start(
            name,
            settings,
            leases,
            this,
            network.peersOf(name, this),
            new ShardLog(name, time, events::add),
            random);
  }

  ShardNode node() {
    return node;
  }

  List<ShardEvent> events() {
    return events;
  }

  boolean isPaused() {
    return paused;
  }

  boolean isDead() {
    return dead;
  }

  @Override
  public Cancellable schedule(Duration delay, Runnable task) {
    return time.schedule(delay, () -> run(task));
  }

  /** Runs a task in this process: now, when it goes on, or never. */
  void run(Runnable task) {
    if (paused) {
      postponed.add(task);
    } else if (!dead) {
      task.run();
    }
  }

  void request(String shard) {
    run(() -> requests.add(node.request(shard).toCompletableFuture()));
  }

  /** How many requests that it has taken wait for an answer. */
  long unanswered() {
    return dead ? 0 : requests.stream().filter(request -> !request.isDone()).count();
  }

  void pause() {
    paused = true;
  }

  void resume() {
    paused = false;
    for (Runnable task = postponed.poll(); task != null; task = postponed.poll()) {
      run(task);
    }
  }

  void crash() {
    dead = true;
    paused = false;
    postponed.clear();
  }

  /** Ends in order. */
  void close() {
    leases.close();
    crash();
  }
}
