package io.leasehold.raft.simulation;

import java.util.List;

/** Does harm until it is told to stop, and then mends it all. */
final class Faults {

  private static final long MILLI = 1_000_000L;

  private final World world;
  private final SimulatedGroup group;
  private final List<SimulatedNode> nodes;
  private final long pauseNanosMean;
  private boolean over;

  Faults(World world, SimulatedGroup group, List<SimulatedNode> nodes, long pauseNanosMean) {
    this.world = world;
    this.group = group;
    this.nodes = nodes;
    this.pauseNanosMean = pauseNanosMean;
  }

  private enum Kind {
    PAUSE,
    SUSPEND,
    CRASH,
    CRASH_ALL,
    CLOSE,
    ISOLATE,
    ISOLATE_LEADER,
    CUT_ONE_WAY,
    CUT_PAIR,
    ELECT,
    CLOCK_RATE,
    WALL_CLOCK,
    SNAPSHOT
  }

  void begin() {
    world.after(world.between(0, 2 * pauseNanosMean), this::strike);
  }

  private void strike() {
    if (over) {
      return;
    }
    Kind kind = Kind.values()[world.random().nextInt(Kind.values().length)];
    SimulatedNode node = anyNode();
    world.tell(() -> "fault: %s %s".formatted(kind, node.name()));
    switch (kind) {
      case PAUSE -> pause(node);
      case SUSPEND -> suspend(node);
      case CRASH -> crash(node);
      case CRASH_ALL -> {
        if (world.chance(0.2)) {
          nodes.forEach(this::crash);
        }
      }
      case CLOSE -> {
        node.close();
        world.after(duration(), node::restart);
      }
      case ISOLATE -> isolate(node.name());
      case ISOLATE_LEADER -> group.leader().ifPresent(this::isolate);
      case CUT_ONE_WAY -> cutOneWay(node.name(), anyNode().name());
      case CUT_PAIR -> {
        String other = anyNode().name();
        cutOneWay(node.name(), other);
        cutOneWay(other, node.name());
      }
      case ELECT -> group.electSomebody();
      case CLOCK_RATE -> node.changeRate();
      case WALL_CLOCK -> group.stepWallClock(node.name());
      case SNAPSHOT -> group.save(node.name());
    }
    begin();
  }

  private SimulatedNode anyNode() {
    return nodes.get(world.random().nextInt(nodes.size()));
  }

  /** Most are short, some outlast any ttl. */
  private long duration() {
    return switch (world.random().nextInt(3)) {
      case 0 -> world.between(MILLI, 100 * MILLI);
      case 1 -> world.between(100 * MILLI, 1_500 * MILLI);
      default -> world.between(1_000 * MILLI, 6_000 * MILLI);
    };
  }

  private void pause(SimulatedNode node) {
    SimulatedProcess paused = node.process();
    paused.pause();
    world.after(duration(), paused::resume);
  }

  /** Of a suspend the node's watch learns a moment after it has woken. */
  private void suspend(SimulatedNode node) {
    SimulatedProcess suspended = node.process();
    suspended.suspend();
    world.after(
        duration(),
        () -> {
          suspended.resume();
          world.after(world.between(0, 100 * MILLI), node::noticeSuspend);
        });
  }

  private void crash(SimulatedNode node) {
    node.crash();
    world.after(duration(), node::restart);
  }

  private void isolate(String node) {
    for (SimulatedNode other : nodes) {
      if (!other.name().equals(node)) {
        cutOneWay(node, other.name());
        cutOneWay(other.name(), node);
      }
    }
  }

  private void cutOneWay(String from, String to) {
    group.network().cut(from, to);
    world.after(duration(), () -> group.network().mend(from, to));
  }

  /** No fault begins any more, and those that last end now. */
  void mendAll() {
    over = true;
    world.tell(() -> "all faults end");
    group.network().mendAll();
    group.network().setWeather(SimulatedNetwork.Weather.QUIET);
    group.setBehaviour(SimulatedGroup.Behaviour.PROMPT);
    for (SimulatedNode node : nodes) {
      node.process().resume();
      node.restart();
    }
  }
}
