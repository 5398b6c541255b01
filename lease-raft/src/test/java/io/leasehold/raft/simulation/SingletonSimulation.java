package io.leasehold.raft.simulation;

import io.leasehold.raft.simulation.Violation.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One run: a singleton on every node under a storm of faults, then rest. All of it follows from the
 * seed; what tasks do is judged after every step.
 */
final class SingletonSimulation implements SimulatedNode.NodeWatcher {

  /** Enough for the slowest task to stop, for expiry, and for a retry. */
  private static final Duration SETTLING = Duration.ofSeconds(20);

  private final Plan plan;
  private final World world;
  private final SimulatedGroup group;
  private final Tenures tenures;
  private final HolderInvariants holders;
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<SingletonUser> users = new ArrayList<>();
  private final Faults faults;

  private SingletonSimulation(long seed, boolean tracing) {
    plan = Plan.of(seed);
    world = new World(seed);
    if (tracing) {
      world.startTracing();
    }
    SimulatedNetwork network = new SimulatedNetwork(world);
    network.setWeather(plan.weather());
    List<String> names = IntStream.rangeClosed(1, plan.nodes()).mapToObj(i -> "n" + i).toList();
    group = new SimulatedGroup(world, network, names);
    group.setBehaviour(plan.behaviour());
    tenures = new Tenures(world);
    holders = new HolderInvariants(tenures, nodes);
    group.observe(new LogInvariants(world, tenures));
    names.forEach(name -> nodes.add(new SimulatedNode(world, group, plan, name, List.of(this))));
    nodes.forEach(node -> users.add(new SingletonUser(world, node, plan.ttlMin())));
    faults = new Faults(world, group, nodes, plan);
  }

  /** Runs a seed and returns what came to pass; throws a {@link Violation}. */
  static Map<Occurrence, Long> run(long seed) {
    return new SingletonSimulation(seed, false).run();
  }

  /** Runs a seed and returns what happened in it, up to the violation if there is one. */
  static List<String> trace(long seed) {
    SingletonSimulation simulation = new SingletonSimulation(seed, true);
    try {
      simulation.run();
    } catch (Violation violation) {
      simulation.world.tell(violation::toString);
    }
    return simulation.world.trace();
  }

  private Map<Occurrence, Long> run() {
    try (Complaints complaints = Complaints.listen()) {
      world.afterEachStep(holders::check);
      world.afterEachStep(this::check);
      world.afterEachStep(complaints::check);
      faults.begin();
      world.advance(plan.storm());
      faults.mendAll();
      users.forEach(SingletonUser::rest);
      world.advance(SETTLING);
      checkAtRest();
    } catch (Violation violation) {
      throw violation.after(world.steps()).in(plan);
    }
    return world.occurrences();
  }

  private void check() {
    List<SingletonUser.Run> acting = new ArrayList<>();
    Optional<Tenures.Tenure> current = tenures.current(SingletonUser.LEASE);
    for (SingletonUser user : users) {
      user.running()
          .ifPresent(
              run -> {
                if (run.mayAct()) {
                  acting.add(run);
                }
                if (current.isEmpty() || current.get().token != run.token()) {
                  run.overInLog();
                }
              });
    }
    if (acting.size() > 1) {
      throw new Violation(
          Rule.ONE_TASK, "%d tasks run under a live lease".formatted(acting.size()));
    }
  }

  /** All is well: one task runs, and it is the holder's. */
  private void checkAtRest() {
    List<SingletonUser> running =
        users.stream().filter(user -> user.running().isPresent()).toList();
    if (running.size() != 1) {
      throw new Violation(Rule.LIVENESS, "one task should run, of " + users);
    }
    long token = running.get(0).running().orElseThrow().token();
    Optional<Tenures.Tenure> current = tenures.current(SingletonUser.LEASE);
    if (current.isEmpty() || current.get().token != token) {
      throw new Violation(
          Rule.NO_ORPHAN,
          "the task runs with token %d, and the log has %s"
              .formatted(token, current.map(tenure -> tenure.token)));
    }
  }

  @Override
  public void started(SimulatedNode node) {
    users.stream().filter(user -> user.node() == node).forEach(SingletonUser::restart);
  }

  @Override
  public void closing(SimulatedNode node) {
    holders.closing(node);
  }

  @Override
  public void ended(SimulatedNode node) {
    holders.ended(node);
  }
}
