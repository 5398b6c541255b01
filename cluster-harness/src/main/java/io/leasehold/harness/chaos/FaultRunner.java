package io.leasehold.harness.chaos;

import io.leasehold.harness.chaos.FaultPlan.Planned;
import io.leasehold.harness.chaos.Network.Undo;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Does the harm that a plan asks for, and undoes it. A fault that is not possible here, or not at
 * this moment, is written down as not injected. Confined to the run's thread.
 */
final class FaultRunner {

  private static final Duration TRANSFER_LIMIT = Duration.ofSeconds(4);

  private final List<ChaosNode> nodes;
  private final Network network;
  private final Shims shims;
  private final RunLog log;
  private final Map<Planned, Active> active = new LinkedHashMap<>();
  private int lastId;

  private record Active(int id, List<String> targets, Undo undo) {}

  FaultRunner(List<ChaosNode> nodes, Network network, Shims shims, RunLog log) {
    this.nodes = List.copyOf(nodes);
    this.network = network;
    this.shims = shims;
    this.log = log;
  }

  /** A number for a fault, here or elsewhere in the run. */
  int nextId() {
    return ++lastId;
  }

  /** Whether there is a node that it can be done to just now. */
  boolean isSomebodyFitFor(Planned fault) {
    boolean aimsAtNobody = fault.isAimedAtTheTask() && singleton().isEmpty();
    return !aimsAtNobody && !victims(fault).isEmpty();
  }

  void begin(Planned fault) throws IOException {
    int id = nextId();
    List<ChaosNode> victims = victims(fault);
    List<String> targets = victims.stream().map(ChaosNode::id).toList();
    try {
      if (victims.isEmpty()) {
        throw new FaultNotPossibleException("nobody was fit for it at that moment");
      }
      boolean disturbs = disturbs(fault);
      if (fault.kind() == FaultKind.POWER) {
        for (ChaosNode node : victims) {
          node.disk().requireMounted();
        }
      }
      if (isProcessFault(fault.kind())) {
        log.begins(id, fault.kind(), targets, fault.parameters(), disturbs, means(fault.kind()));
        Undo undo = harmProcesses(fault, victims);
        active.put(fault, new Active(id, targets, undo));
      } else {
        // Known to be done only once it is; but whatever it delays comes after its beginning.
        long before = log.now();
        Undo undo = harmSurroundings(fault, victims.get(0));
        log.beginsAt(
            before, id, fault.kind(), targets, fault.parameters(), disturbs, means(fault.kind()));
        active.put(fault, new Active(id, targets, undo));
      }
    } catch (FaultNotPossibleException e) {
      log.notInjected(
          id, fault.kind(), targets, fault.parameters(), String.valueOf(e.getMessage()));
    }
  }

  void end(Planned fault) throws IOException {
    Active ended = active.remove(fault);
    if (ended != null) {
      ended.undo().undo();
      log.ends(ended.id(), fault.kind(), ended.targets());
    }
  }

  /** Undoes whatever is still being done. */
  void endAll() throws IOException {
    for (Planned fault : new ArrayList<>(active.keySet())) {
      end(fault);
    }
  }

  private List<ChaosNode> victims(Planned fault) {
    ChaosNode chosen = chosen(fault);
    return switch (fault.kind()) {
      case RESTART_ALL -> nodes.stream().filter(ChaosNode::isAlive).toList();
      case POWER ->
          fault.parameter("scope").equals("all")
              ? nodes.stream().filter(ChaosNode::isAlive).toList()
              : chosenOr(chosen, ChaosNode::isAlive);
      case KILL -> chosenOr(chosen, ChaosNode::isAlive);
      // What two members have forgotten together may have been acknowledged by them alone.
      case WIPE ->
          nodes.stream().anyMatch(ChaosNode::hasForgotten)
              ? List.of()
              : chosenOr(chosen, ChaosNode::isReady);
      // It takes somebody to hand over, and one that something else is done to cannot take over.
      case TRANSFER ->
          nodes.stream().noneMatch(this::leads)
              ? List.of()
              : chosenOr(chosen, node -> node.isReady() && !leads(node) && !isHarmed(node));
      case PAUSE, RESTART -> chosenOr(chosen, ChaosNode::isReady);
      // Where nobody leads just now, the next to lead may be the one that was chosen.
      case LEADER -> List.of(nodes.stream().filter(this::leads).findFirst().orElse(chosen));
      // All nodes hold leases nearly all the time; one that does not lead shows more.
      case HOLDER -> chosenOr(chosen, node -> node.isReady() && !leads(node));
      case PARTITION, SLOW, DELAY, LOSSY, WALL, DRIFT, FSYNC, DISK -> List.of(chosen);
    };
  }

  /** The node that the plan names, or the singleton's where it aims at that and there is one. */
  private ChaosNode chosen(Planned fault) {
    ChaosNode named = nodes.get(fault.victim() % nodes.size());
    return fault.isAimedAtTheTask() ? singleton().orElse(named) : named;
  }

  /** The node that runs the singleton's task. */
  private Optional<ChaosNode> singleton() {
    return nodes.stream().filter(node -> node.status().contains("task")).findFirst();
  }

  private List<ChaosNode> chosenOr(ChaosNode chosen, Predicate<ChaosNode> fit) {
    return fit.test(chosen) ? List.of(chosen) : nodes.stream().filter(fit).limit(1).toList();
  }

  private boolean isHarmed(ChaosNode node) {
    return active.values().stream().anyMatch(harm -> harm.targets().contains(node.id()));
  }

  private boolean leads(ChaosNode node) {
    List<String> status = node.status();
    return !status.isEmpty() && status.get(0).equals("LEADER");
  }

  private static boolean isProcessFault(FaultKind kind) {
    return switch (kind) {
      case KILL, PAUSE, RESTART, RESTART_ALL, POWER, WIPE -> true;
      case PARTITION, HOLDER, LEADER, SLOW, DELAY, LOSSY, TRANSFER, WALL, DRIFT, FSYNC, DISK ->
          false;
    };
  }

  /**
   * Whether a fault excuses delays and losses for as long as it lasts. A wall clock that jumps
   * excuses nothing; the end and the start of single processes are excused by themselves, not the
   * time between, in which the others have to go on.
   */
  private static boolean disturbs(Planned fault) {
    return switch (fault.kind()) {
      case WALL, DRIFT, KILL, RESTART, TRANSFER, WIPE -> false;
      case POWER -> fault.parameter("scope").equals("all");
      case PAUSE, PARTITION, HOLDER, LEADER, SLOW, DELAY, LOSSY, FSYNC, DISK, RESTART_ALL -> true;
    };
  }

  private Undo harmProcesses(Planned fault, List<ChaosNode> victims) throws IOException {
    ChaosNode victim = victims.get(0);
    switch (fault.kind()) {
      case PAUSE -> {
        victim.pause();
        return victim::resume;
      }
      case RESTART -> victim.close();
      case POWER -> losePower(victims);
      case WIPE -> victim.wipe();
      default -> {
        for (ChaosNode node : victims) {
          node.kill();
        }
      }
    }
    return () -> {
      for (ChaosNode node : victims) {
        node.start();
      }
    };
  }

  /** All lose it in one instant: nobody writes any more before the first copy is made. */
  private static void losePower(List<ChaosNode> victims) throws IOException {
    for (ChaosNode node : victims) {
      node.freeze();
    }
    for (ChaosNode node : victims) {
      node.disk().copy();
    }
    for (ChaosNode node : victims) {
      node.vanish();
      node.disk().goOnWithCopy();
    }
  }

  private Undo harmSurroundings(Planned fault, ChaosNode victim)
      throws IOException, FaultNotPossibleException {
    return switch (fault.kind()) {
      case PARTITION, HOLDER, LEADER ->
          network.cut(
              victim.id(), fault.parameter("direction"), fault.parameter("by").equals("reset"));
      case SLOW -> network.slow(victim.id(), fault.parameter("rate"));
      case DELAY -> network.delay(victim.id(), fault.parameter("how"));
      case TRANSFER -> transfer(victim);
      case LOSSY -> network.lose(victim.id(), fault.parameter("loss"));
      case WALL -> {
        shims.shiftWall(victim.control(), fault.parameter("seconds"));
        yield () -> shift(victim, "0");
      }
      case FSYNC -> {
        shims.disturbSync(victim.control(), fault.parameter("mode"));
        yield () -> {
          sync(victim, "");
          if (fault.parameter("mode").equals("eio")) {
            startAgain(victim);
          }
        };
      }
      case DISK -> {
        Undo emptied = victim.disk().fill();
        yield () -> {
          emptied.undo();
          startAgain(victim);
        };
      }
      default -> throw new IllegalStateException(fault.kind() + " is done to processes");
    };
  }

  /** Done at once or not at all: nothing is left to be undone. */
  private static Undo transfer(ChaosNode heir) throws FaultNotPossibleException {
    String outcome;
    try {
      outcome = heir.takeLead(TRANSFER_LIMIT);
    } catch (IOException e) {
      outcome = String.valueOf(e.getMessage());
    }
    if (!outcome.equals("true")) {
      throw new FaultNotPossibleException("it was not handed over: " + outcome);
    }
    return () -> {};
  }

  /** A node whose disk has failed it leaves its group, and says that it is to be started again. */
  private static void startAgain(ChaosNode victim) throws IOException {
    if (victim.isReady()) {
      victim.kill();
      victim.start();
    }
  }

  private void shift(ChaosNode victim, String seconds) throws IOException {
    try {
      shims.shiftWall(victim.control(), seconds);
    } catch (FaultNotPossibleException e) {
      throw new IOException(e);
    }
  }

  private void sync(ChaosNode victim, String mode) throws IOException {
    try {
      shims.disturbSync(victim.control(), mode);
    } catch (FaultNotPossibleException e) {
      throw new IOException(e);
    }
  }

  private String means(FaultKind kind) {
    return switch (kind) {
      case PARTITION, HOLDER, LEADER, SLOW, DELAY, LOSSY -> network.means();
      case TRANSFER -> "the node's own interface";
      case WALL, FSYNC -> "a preloaded library";
      case DISK -> "a small ext4, filled";
      case DRIFT -> "libfaketime";
      case KILL, PAUSE, RESTART, RESTART_ALL -> "signals";
      case WIPE -> "a signal, and a folder deleted";
      case POWER -> "a copy of the image below a stopped node's file system";
    };
  }
}
