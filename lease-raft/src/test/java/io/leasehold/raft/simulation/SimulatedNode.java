package io.leasehold.raft.simulation;

import io.leasehold.raft.HolderSide;
import io.leasehold.store.core.SessionId;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One node through all its lives: its process, its replica, its holder's side. */
final class SimulatedNode {

  private static final long OFFSET_NANOS_MAX = 1_000_000_000_000_000L;

  private final World world;
  private final SimulatedGroup group;
  private final Plan plan;
  private final String name;
  private final List<NodeWatcher> watchers;
  private SimulatedProcess process;
  private HolderSide holder;
  private SimulatedLeases leases;
  private int lives;
  private boolean closing;
  private boolean restartWanted;

  SimulatedNode(
      World world, SimulatedGroup group, Plan plan, String name, List<NodeWatcher> watchers) {
    this.world = world;
    this.group = group;
    this.plan = plan;
    this.name = name;
    this.watchers = watchers;
    this.process = newProcess();
    this.holder = newHolder();
    this.leases = new SimulatedLeases(holder);
  }

  /** Is told of each life of a node. */
  interface NodeWatcher {

    /** It has been started. */
    void started(SimulatedNode node);

    /** It begins to shut down. */
    void closing(SimulatedNode node);

    /** It is gone, with all that it believed in. */
    void ended(SimulatedNode node);
  }

  private SimulatedProcess newProcess() {
    // Clocks of different nodes, and of different lives, show nothing that could be compared.
    long offsetNanos = world.random().nextLong(-OFFSET_NANOS_MAX, OFFSET_NANOS_MAX);
    return new SimulatedProcess(world, name, offsetNanos, newRate(), 500_000);
  }

  private double newRate() {
    double spread = plan.clockSpread();
    if (plan.extremeClocks()) {
      boolean fast = world.random().nextBoolean();
      if (spread == Plan.DRIFT_MAX) {
        world.count(fast ? Occurrence.CLOCK_FAST_AT_BOUND : Occurrence.CLOCK_SLOW_AT_BOUND);
      }
      return fast ? 1 + spread : 1 - spread;
    }
    return 1 - spread + 2 * spread * world.random().nextDouble();
  }

  private HolderSide newHolder() {
    lives++;
    SimulatedReplica replica = group.start(process);
    HolderSide started =
        new HolderSide(
            new SimulatedStore(group, replica),
            process,
            process,
            process,
            () -> new SessionId(world.random().nextLong(), world.random().nextLong()),
            Plan.PATIENCE);
    if (!plan.bootClock()) {
      process.goBy(SimulatedProcess.Clock.MONOTONIC);
      process.onWaking(started::distrustClock);
    }
    return started;
  }

  String name() {
    return name;
  }

  SimulatedProcess process() {
    return process;
  }

  HolderSide holder() {
    return holder;
  }

  /** Returns what its application is given. */
  SimulatedLeases leases() {
    return leases;
  }

  /** Returns how often it has been started. */
  int lives() {
    return lives;
  }

  /** Whether its holds can only be looked at once it has woken, by a clock that stands still. */
  boolean isAsleep() {
    return !plan.bootClock() && process.isSuspended();
  }

  boolean isUp() {
    return !process.isDead();
  }

  boolean isClosing() {
    return closing;
  }

  void changeRate() {
    process.setRate(newRate());
  }

  void crash() {
    if (isUp()) {
      world.tell(() -> name + " crashes");
      process.kill();
      watchers.forEach(watcher -> watcher.ended(this));
    }
  }

  void restart() {
    if (isUp()) {
      restartWanted = closing;
      return;
    }
    restartWanted = false;
    closing = false;
    process = newProcess();
    holder = newHolder();
    leases = new SimulatedLeases(holder);
    world.tell(() -> name + " starts again");
    watchers.forEach(watcher -> watcher.started(this));
  }

  /** Shuts down in order, then ends. */
  void close() {
    if (!isUp() || closing) {
      return;
    }
    world.tell(() -> name + " closes");
    closing = true;
    SimulatedProcess closed = process;
    closed.run(
        () -> {
          watchers.forEach(watcher -> watcher.closing(this));
          CompletableFuture<Void> unused =
              leases.shutDown(closed).thenAccept(confirmed -> closed.execute(() -> end(closed)));
        });
  }

  private void end(SimulatedProcess closed) {
    if (process == closed) {
      boolean again = restartWanted;
      crash();
      if (again) {
        restart();
      }
    }
  }
}
