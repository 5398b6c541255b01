package io.leasehold.raft.simulation;

import io.leasehold.LeaseSettings;
import io.leasehold.raft.simulation.Violation.Rule;
import io.leasehold.store.core.MapLeaseTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * One run: a storm of faults under a workload, then rest, then everybody once more. All of it
 * follows from the seed; every rule is checked after every step that may break it.
 */
public final class Simulation implements SimulatedNode.NodeWatcher {

  /** By then all that was under way when the faults ended has ended too, but for late messages. */
  private static final Duration SETTLING_MIN = Duration.ofSeconds(4);

  private static final Duration SETTLING_MAX = Duration.ofSeconds(14);

  private static final Duration LOOK = Duration.ofMillis(500);

  private static final Duration LAST_ROUND = Duration.ofSeconds(20);

  private final Plan plan;
  private final World world;
  private final SimulatedGroup group;
  private final Tenures tenures;
  private final HolderInvariants holders;
  private final List<SimulatedNode> nodes = new ArrayList<>();
  private final List<User> users = new ArrayList<>();
  private final Map<String, Observer> observers = new TreeMap<>();
  private final Faults faults;

  private Simulation(long seed, boolean tracing) {
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
    faults = new Faults(world, group, nodes, plan);
  }

  /**
   * What a run came to.
   *
   * @param steps how many things happened
   * @param grants how many leases were granted
   * @param fingerprint a number that only the same run has
   * @param occurrences how often what has to come to pass did
   */
  public record Result(
      long steps, long grants, long fingerprint, Map<Occurrence, Long> occurrences) {}

  /** Runs a seed; throws a {@link Violation} that says how to repeat it. */
  public static Result run(long seed) {
    try {
      return new Simulation(seed, false).run();
    } catch (Violation violation) {
      throw violation.in(Plan.of(seed));
    }
  }

  /** Runs a seed and returns what happened in it, up to the violation if there is one. */
  public static List<String> trace(long seed) {
    Simulation simulation = new Simulation(seed, true);
    try {
      simulation.run();
    } catch (Violation violation) {
      simulation.world.tell(violation::toString);
    }
    return simulation.world.trace();
  }

  private Result run() {
    try (Complaints complaints = Complaints.listen()) {
      world.afterEachStep(holders::check);
      world.afterEachStep(complaints::check);
      begin();
      world.advance(plan.storm());
      faults.mendAll();
      users.forEach(User::rest);
      settle();
      lastRound();
    } catch (Violation violation) {
      throw violation.after(world.steps());
    } catch (RuntimeException e) {
      throw new Violation(Rule.NO_ERROR, "a task failed: " + e, e).after(world.steps());
    }
    return new Result(world.steps(), tenures.count(), world.fingerprint(), world.occurrences());
  }

  private void begin() {
    for (SimulatedNode node : nodes) {
      for (int i = 0; i < plan.usersPerNode(); i++) {
        users.add(
            new User(
                world, node, tenures, holders, settings(node, i), plan.thinkPause().toNanos()));
      }
      started(node);
    }
    faults.begin();
  }

  private LeaseSettings settings(SimulatedNode node, int user) {
    String owner = (plan.sharedOwners() ? "any" : node.name()) + "-" + user;
    Duration ttl =
        Duration.ofNanos(world.between(plan.ttlMin().toNanos(), plan.ttlMax().toNanos()));
    return LeaseSettings.of("lease-" + world.random().nextInt(plan.leases()), owner, ttl)
        .withRenewalInterval(ttl.dividedBy(world.random().nextInt(2, 6)))
        .withAcquireRetries(world.random().nextInt(1, 4))
        .withAcquireRetryDelay(Duration.ofMillis(world.random().nextInt(10, 300)))
        // Safe where the owner's former process is dead, as it is when each node has its own.
        .withReclaim(!plan.sharedOwners() && world.chance(0.3));
  }

  @Override
  public void started(SimulatedNode node) {
    observers.put(node.name(), new Observer(world, node));
    users.stream().filter(user -> user.node() == node).forEach(User::begin);
  }

  @Override
  public void closing(SimulatedNode node) {
    holders.closing(node);
  }

  @Override
  public void ended(SimulatedNode node) {
    holders.ended(node);
  }

  /** Lets time pass until all is as it has to be at rest, or the last violation stands. */
  private void settle() {
    world.advance(SETTLING_MIN);
    long endNanos = world.nanos() + SETTLING_MAX.minus(SETTLING_MIN).toNanos();
    while (!isAtRest(world.nanos() >= endNanos)) {
      world.advance(LOOK);
    }
  }

  private boolean isAtRest(boolean mustBe) {
    try {
      checkAtRest();
      return true;
    } catch (Violation violation) {
      if (mustBe) {
        throw violation;
      }
      return false;
    }
  }

  private void checkAtRest() {
    for (User user : users) {
      if (!user.isAnswered()) {
        throw new Violation(Rule.LIVENESS, user + " was never answered");
      }
    }
    holders.checkAtRest();
    for (String name : tenures.leases()) {
      tenures.current(name).ifPresent(tenure -> checkBelieved(name, tenure));
      group
          .leaderTable()
          .lease(name)
          .filter(lease -> !lease.queue().isEmpty())
          .ifPresent(
              lease -> {
                throw new Violation(Rule.NO_ORPHAN, "nobody waits, and the queue is " + lease);
              });
    }
    observers.values().forEach(observer -> observer.checkAtRest(tenures));
    checkReplicas();
  }

  private void checkBelieved(String name, Tenures.Tenure tenure) {
    boolean believed =
        nodes.stream()
            .flatMap(node -> node.holder().believed().stream())
            .anyMatch(hold -> hold.token() == tenure.token);
    if (!believed) {
      throw new Violation(
          Rule.NO_ORPHAN,
          "nobody believes in token %d of %s, which %s has"
              .formatted(tenure.token, name, tenure.holder));
    }
  }

  private void checkReplicas() {
    MapLeaseTable.Contents first = group.replica(nodes.get(0).name()).table().contents();
    for (SimulatedNode node : nodes) {
      MapLeaseTable.Contents other = group.replica(node.name()).table().contents();
      if (other.appliedIndex() == first.appliedIndex() && !other.equals(first)) {
        throw new Violation(
            Rule.SAME_REPLICAS,
            "%s has %s, %s has %s".formatted(nodes.get(0).name(), first, node.name(), other));
      }
    }
  }

  /** Everybody gets the lease once more and gives it back. */
  private void lastRound() {
    List<CompletableFuture<Void>> rounds = new ArrayList<>();
    for (User user : users) {
      rounds.add(
          user.call(LAST_ROUND)
              .thenCompose(
                  granted -> {
                    if (!granted) {
                      throw new IllegalStateException("refused");
                    }
                    return user.release();
                  }));
    }
    long endNanos = world.nanos() + LAST_ROUND.dividedBy(2).toNanos();
    while (world.nanos() < endNanos && !rounds.stream().allMatch(CompletableFuture::isDone)) {
      world.advance(LOOK);
    }
    for (int i = 0; i < users.size(); i++) {
      CompletableFuture<Void> round = rounds.get(i);
      if (!round.isDone() || round.isCompletedExceptionally()) {
        throw new Violation(
            Rule.LIVENESS,
            "%s does not get the lease when all is well: %s".formatted(users.get(i), round));
      }
    }
    checkNothingIsLeft();
  }

  private void checkNothingIsLeft() {
    MapLeaseTable.Contents table = group.leaderTable().contents();
    if (!table.leases().isEmpty() || !table.claims().isEmpty() || !table.revoked().isEmpty()) {
      throw new Violation(Rule.NO_ORPHAN, "everything was released, and there is " + table);
    }
    for (SimulatedNode node : nodes) {
      if (!node.holder().isIdle()) {
        throw new Violation(
            Rule.NO_ORPHAN, node.name() + " holds nothing, and still renews for something");
      }
    }
  }
}
