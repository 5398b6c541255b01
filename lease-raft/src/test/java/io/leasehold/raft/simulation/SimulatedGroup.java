package io.leasehold.raft.simulation;

import io.leasehold.store.LeaseReading;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.LeaseMachine;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.MapLeaseTable;
import io.leasehold.store.core.Outcome;
import io.leasehold.store.core.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The members, their disks and who leads them. It sees everything, so that elections are simple: a
 * leader that cannot reach a majority is followed by some member that can. Confined to the world's
 * thread.
 */
public final class SimulatedGroup {

  private static final long LOOK_NANOS = 50_000_000L;
  private static final long FORWARD_NANOS_MAX = 4_000_000_000L;
  private static final long ELECTION_NANOS_MIN = 150_000_000L;
  private static final long ELECTION_NANOS_MAX = 300_000_000L;

  private final World world;
  private final SimulatedNetwork network;
  private final List<String> members;
  private final LeaseMachine machine = new LeaseMachine(Limits.DEFAULT);
  private final SimulatedLog log = new SimulatedLog();
  private final Map<String, SimulatedReplica> replicas = new TreeMap<>();
  private final Map<String, MapLeaseTable> disks = new TreeMap<>();
  private final List<Observer> observers = new ArrayList<>();
  private final Map<String, Long> wallSeconds = new TreeMap<>();
  private Behaviour behaviour = Behaviour.PROMPT;
  private long leaderlessSinceNanos = Long.MIN_VALUE;
  private long patienceNanos = ELECTION_NANOS_MIN;

  /**
   * @param members the names of the nodes
   */
  public SimulatedGroup(World world, SimulatedNetwork network, List<String> members) {
    this.world = world;
    this.network = network;
    this.members = List.copyOf(members);
    world.after(0, this::look);
  }

  /** Is told of each entry each time a replica applies it. */
  interface Observer {
    void applied(SimulatedReplica replica, SimulatedLog.LogEntry entry, Outcome outcome);
  }

  /**
   * How members behave.
   *
   * @param roundTripNanosMin shortest time from append to commit
   * @param roundTripNanosMax longest time from append to commit
   * @param appendNanosMax longest time from stamp to append
   * @param snapshotChance how often a member that is behind gets a snapshot instead of the log
   * @param forwardChance how often what a member proposes to expire reaches the leader's log later,
   *     too
   */
  record Behaviour(
      long roundTripNanosMin,
      long roundTripNanosMax,
      long appendNanosMax,
      double snapshotChance,
      double forwardChance) {

    static final Behaviour PROMPT = new Behaviour(1_000_000, 1_000_000, 0, 0, 0);
  }

  void setBehaviour(Behaviour newBehaviour) {
    behaviour = newBehaviour;
  }

  void observe(Observer observer) {
    observers.add(observer);
  }

  World world() {
    return world;
  }

  SimulatedLog log() {
    return log;
  }

  LeaseMachine machine() {
    return machine;
  }

  SimulatedNetwork network() {
    return network;
  }

  List<String> members() {
    return members;
  }

  SimulatedReplica replica(String node) {
    SimulatedReplica replica = replicas.get(node);
    if (replica == null) {
      throw new IllegalStateException(node + " was never started");
    }
    return replica;
  }

  /** Starts a member, with what its disk has kept. */
  SimulatedReplica start(SimulatedProcess process) {
    MapLeaseTable durable = disks.computeIfAbsent(process.node(), node -> new MapLeaseTable());
    SimulatedReplica replica = new SimulatedReplica(this, process, durable.copy());
    replicas.put(process.node(), replica);
    if (replica.applied() > 0) {
      world.count(Occurrence.STARTED_FROM_SNAPSHOT);
    }
    log.abdicate(process.node());
    return replica;
  }

  /** Sets a member's wall clock to some other day of the last years. */
  void stepWallClock(String node) {
    world.count(Occurrence.WALL_CLOCK_STEPPED);
    wallSeconds.put(node, world.random().nextLong(1_600_000_000L, 1_700_000_000L));
  }

  /** Returns what a member's wall clock shows. */
  long wallSeconds(String node) {
    return wallSeconds.getOrDefault(node, 1_650_000_000L);
  }

  /** What a member has applied so far gets onto its disk. */
  void save(String node) {
    disks.put(node, replica(node).table().copy());
  }

  /** Sends something to every other member. */
  void toOthers(String node, Consumer<SimulatedReplica> message) {
    for (String other : members) {
      if (!other.equals(node)) {
        network.send(node, other, () -> inProcess(other, message));
      }
    }
  }

  /** Has a member do something in its process as it is now. */
  void inProcess(String node, Consumer<SimulatedReplica> work) {
    SimulatedReplica replica = replicas.get(node);
    if (replica != null) {
      replica.process().run(() -> work.accept(replica));
    }
  }

  /** Whether a node's messages reach a majority, and theirs it. */
  boolean hasMajority(String node) {
    long reached =
        members.stream()
            .filter(member -> isRunning(member) && network.connects(node, member))
            .count();
    return isRunning(node) && reached > members.size() / 2;
  }

  private boolean isRunning(String node) {
    SimulatedReplica replica = replicas.get(node);
    return replica != null && replica.process().isRunning();
  }

  long roundTripNanos() {
    return world.between(behaviour.roundTripNanosMin(), behaviour.roundTripNanosMax());
  }

  long appendDelayNanos() {
    return world.between(0, behaviour.appendNanosMax());
  }

  boolean sendsSnapshots() {
    return world.chance(behaviour.snapshotChance());
  }

  /** What a member proposes to expire may get to the next leader, late. */
  void mayForward(String from, Batch expiry) {
    if (world.chance(behaviour.forwardChance())) {
      world.after(world.between(0, FORWARD_NANOS_MAX), () -> forward(from, expiry));
    }
  }

  private void forward(String from, Batch expiry) {
    world.count(Occurrence.EXPIRY_LATE);
    log.leader()
        .ifPresent(
            to ->
                network.send(
                    from,
                    to,
                    () -> inProcess(to, leader -> leader.receive(expiry, (reply, e) -> {}))));
  }

  /** Somebody proposes to expire everything, as if nobody had renewed anything. */
  void proposeUndueExpiry() {
    log.leader().ifPresent(node -> inProcess(node, SimulatedGroup::expireEverything));
  }

  private static void expireEverything(SimulatedReplica leader) {
    List<Command> all = new ArrayList<>();
    for (LeaseReading reading : leader.table().leases()) {
      HeldLease lease = reading.lease();
      all.add(new Command.Expire(lease.name(), lease.holder().session(), lease.acquisitionId()));
      for (Waiter waiter : lease.queue()) {
        all.add(
            new Command.Expire(lease.name(), waiter.holder().session(), waiter.acquisitionId()));
      }
    }
    leader.table().sessions().forEach(each -> all.add(new Command.ExpireSession(each.id())));
    leader.receive(Batch.ofStore(all), (reply, failure) -> {});
  }

  void tellApplied(SimulatedReplica replica, SimulatedLog.LogEntry entry, Outcome outcome) {
    observers.forEach(observer -> observer.applied(replica, entry, outcome));
  }

  /** Elects somebody when nobody can lead for a while. */
  private void look() {
    world.after(LOOK_NANOS, this::look);
    if (log.leader().filter(this::hasMajority).isPresent()) {
      leaderlessSinceNanos = Long.MIN_VALUE;
      return;
    }
    if (leaderlessSinceNanos == Long.MIN_VALUE) {
      leaderlessSinceNanos = world.nanos();
      patienceNanos = log.term() == 0 ? 0 : world.between(ELECTION_NANOS_MIN, ELECTION_NANOS_MAX);
    }
    if (world.nanos() - leaderlessSinceNanos >= patienceNanos) {
      electSomebody();
    }
  }

  /** Has some member that can lead become the leader, perhaps the same one in another term. */
  void electSomebody() {
    List<String> candidates = members.stream().filter(this::hasMajority).toList();
    if (!candidates.isEmpty()) {
      elect(candidates.get(world.random().nextInt(candidates.size())));
    }
  }

  /** Has a member become the leader. */
  void elect(String node) {
    long keep = world.random().nextLong(log.committed(), log.size() + 1);
    if (log.size() > keep) {
      world.count(Occurrence.UNCOMMITTED_DROPPED);
    }
    long term = log.elect(node, keep);
    if (term > 1) {
      world.count(Occurrence.LEADER_CHANGED);
    }
    long first = log.size();
    world.tell(() -> "%s leads in term %d from %d on".formatted(node, term, first));
    world.mark(term);
    leaderlessSinceNanos = Long.MIN_VALUE;
    inProcess(node, replica -> replica.lead(term, first));
  }

  /** Returns the table of the leader. */
  MapLeaseTable leaderTable() {
    return replica(log.leader().orElseThrow()).table();
  }

  /** Returns who leads; empty when nobody does. */
  Optional<String> leader() {
    return log.leader().filter(this::hasMajority);
  }
}
