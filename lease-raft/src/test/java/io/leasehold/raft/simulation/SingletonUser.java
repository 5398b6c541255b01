package io.leasehold.raft.simulation;

import io.leasehold.LeaseSettings;
import io.leasehold.raft.HolderSide.Believed;
import io.leasehold.raft.simulation.Violation.Rule;
import io.leasehold.singleton.Singleton;
import io.leasehold.singleton.SingletonContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The application of one node: a singleton whose task ends when it likes, fails, and takes its time
 * to stop. Begins anew with each life of its node.
 */
final class SingletonUser {

  static final String LEASE = "singleton";

  private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

  /** By then a handler has been told what its node knows. */
  private static final Duration NEWS = Duration.ofSeconds(1);

  private static final long MILLI = 1_000_000L;

  private final World world;
  private final SimulatedNode node;
  private final LeaseSettings settings;
  private final List<Run> runs = new ArrayList<>();
  private Singleton singleton;
  private boolean atRest;

  SingletonUser(World world, SimulatedNode node, Duration ttl) {
    this.world = world;
    this.node = node;
    this.settings = LeaseSettings.of(LEASE, node.name(), ttl);
    this.singleton = begin();
  }

  /** One run of the task. */
  final class Run {
    private final SimulatedProcess process = node.process();
    private final SingletonContext context;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean lost;
    private boolean overInLog;

    Run(SingletonContext context) {
      this.context = context;
    }

    long token() {
      return context.fencingToken();
    }

    boolean isRunning() {
      return !process.isDead() && !ended.isDone();
    }

    boolean mayAct() {
      return isRunning() && !node.isAsleep() && context.checkAlive();
    }

    /** Its hold has ended in the log; that is no fault if it was lost, or nothing runs any more. */
    void overInLog() {
      overInLog = true;
    }

    private void end(boolean well) {
      if (ended.isDone()) {
        return;
      }
      if (overInLog) {
        var unused = process.schedule(NEWS, this::checkLoss);
      }
      world.tell(() -> "task with %d on %s ends".formatted(token(), node.name()));
      if (well) {
        ended.complete(null);
      } else {
        ended.completeExceptionally(new IllegalStateException("the task failed"));
      }
    }

    private void checkLoss() {
      if (!lost) {
        world.fail(
            new Violation(
                Rule.TASK_BEFORE_RELEASE,
                "token %d was given up on %s while its task ran".formatted(token(), node.name())));
      }
    }

    private void cancelled() {
      boolean given = node.holder().believed().stream().map(Believed::token).anyMatch(this::is);
      world.count(given ? Occurrence.TASK_STOPPED : Occurrence.TASK_CANCELLED);
      // Some go on for long after a loss; whoever waits for them in an orderly end waits for less.
      long lingerNanos = world.between(0, (given ? 300 : 5_000) * MILLI);
      var unused = process.schedule(Duration.ofNanos(lingerNanos), () -> end(true));
    }

    private boolean is(long token) {
      return token == token();
    }
  }

  /** A life of its node has begun. */
  private Singleton begin() {
    var unused =
        node.holder()
            .lease(settings)
            .onLost(
                lost ->
                    runs.stream()
                        .filter(run -> run.is(lost.fencingToken()))
                        .forEach(run -> run.lost = true));
    Singleton begun =
        Singleton.builder(node.leases(), settings)
            .retryInterval(RETRY_INTERVAL)
            .timer(node.process())
            .random(world.random())
            .startAsync(this::run);
    think();
    return begun;
  }

  void restart() {
    runs.clear();
    singleton = begin();
  }

  /** Does nothing of its own any more, and has its task run on. */
  void rest() {
    atRest = true;
  }

  private CompletionStage<?> run(SingletonContext context) {
    world.tell(() -> "task with %d on %s starts".formatted(context.fencingToken(), node.name()));
    world.count(Occurrence.TASK_STARTED);
    if (runs.stream().anyMatch(Run::isRunning)) {
      world.fail(new Violation(Rule.ONE_TASK, "two tasks run on " + node.name()));
    }
    if (runs.stream().anyMatch(run -> run.token() >= context.fencingToken())) {
      world.fail(
          new Violation(
              Rule.TOKEN_ORDER, "a task on " + node.name() + " has the token of another"));
    }
    Run run = new Run(context);
    runs.add(run);
    context.onCancel(run::cancelled);
    if (!atRest && world.chance(0.3)) {
      boolean well = world.random().nextBoolean();
      world.count(well ? Occurrence.TASK_ENDED : Occurrence.TASK_FAILED);
      var unused =
          run.process.schedule(
              Duration.ofNanos(world.between(0, 2_000 * MILLI)), () -> run.end(well));
    }
    return run.ended;
  }

  private void think() {
    if (!atRest) {
      SimulatedProcess process = node.process();
      world.after(world.between(0, 4_000 * MILLI), () -> process.run(this::act));
    }
  }

  private void act() {
    if (atRest || node.isClosing()) {
      return;
    }
    switch (world.random().nextInt(4)) {
      case 0 -> {
        world.count(Occurrence.STEPPED_DOWN);
        var unused = singleton.stepDown(Duration.ofNanos(world.between(0, 2_000 * MILLI)));
      }
      case 1 -> revoke();
      default -> {}
    }
    think();
  }

  private void revoke() {
    var unused =
        node.holder()
            .inspector()
            .find(LEASE)
            .thenAccept(
                found ->
                    found.ifPresent(
                        status -> {
                          var unusedRevocation =
                              node.holder()
                                  .inspector()
                                  .revoke(LEASE, status.fencingToken(), "to see");
                        }));
  }

  SimulatedNode node() {
    return node;
  }

  /** Returns the run that has not ended. */
  Optional<Run> running() {
    return runs.stream().filter(Run::isRunning).findFirst();
  }

  @Override
  public String toString() {
    return singleton + " on " + node.name();
  }
}
