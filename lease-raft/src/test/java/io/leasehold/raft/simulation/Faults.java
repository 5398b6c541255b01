package io.leasehold.raft.simulation;

import java.util.List;

/** Does harm until it is told to stop, and then mends it all. */
final class Faults {

  private static final long MILLI = 1_000_000L;

  private final World world;
  private final SimulatedGroup group;
  private final List<SimulatedNode> nodes;
  private final Plan plan;
  private boolean over;

  Faults(World world, SimulatedGroup group, List<SimulatedNode> nodes, Plan plan) {
    this.world = world;
    this.group = group;
    this.nodes = nodes;
    this.plan = plan;
  }

  private enum Kind {
    PAUSE,
    PAUSE_AT_NEXT,
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
    UNDUE_EXPIRY,
    SNAPSHOT
  }

  void begin() {
    world.after(world.between(0, 2 * plan.faultPause().toNanos()), this::strike);
  }

  private void strike() {
    if (over) {
      return;
    }
    Kind kind = world.chance(0.2) ? Kind.PAUSE_AT_NEXT : anyKind();
    SimulatedNode node = anyNode();
    world.tell(() -> "fault: %s %s".formatted(kind, node.name()));
    switch (kind) {
      case PAUSE -> pause(node);
      case PAUSE_AT_NEXT -> pauseAtNext(node);
      case SUSPEND -> suspend(node);
      case CRASH -> crash(node);
      case CRASH_ALL -> {
        if (world.chance(0.2)) {
          nodes.forEach(this::crash);
        }
      }
      case CLOSE -> {
        world.count(Occurrence.CLOSED);
        node.close();
        world.after(duration(), node::restart);
      }
      case ISOLATE -> isolate(node.name(), duration());
      case ISOLATE_LEADER -> group.leader().ifPresent(leader -> isolate(leader, longDuration()));
      case CUT_ONE_WAY -> cutOneWay(node.name(), anyNode().name(), duration());
      case CUT_PAIR -> {
        String other = anyNode().name();
        cutOneWay(node.name(), other, duration());
        cutOneWay(other, node.name(), duration());
      }
      case ELECT -> group.electSomebody();
      case CLOCK_RATE -> node.changeRate();
      case WALL_CLOCK -> group.stepWallClock(node.name());
      case UNDUE_EXPIRY -> {
        world.count(Occurrence.EXPIRY_UNDUE);
        group.proposeUndueExpiry();
      }
      case SNAPSHOT -> group.save(node.name());
    }
    begin();
  }

  private Kind anyKind() {
    return Kind.values()[world.random().nextInt(Kind.values().length)];
  }

  private SimulatedNode anyNode() {
    return nodes.get(world.random().nextInt(nodes.size()));
  }

  /** Most are short, some outlast any ttl. */
  private long duration() {
    return switch (world.random().nextInt(3)) {
      case 0 -> world.between(MILLI, 100 * MILLI);
      case 1 -> world.between(100 * MILLI, 1_500 * MILLI);
      default -> longDuration();
    };
  }

  private long longDuration() {
    return world.between(1_000 * MILLI, 6_000 * MILLI);
  }

  private void pause(SimulatedNode node) {
    SimulatedProcess paused = node.process();
    long nanos = duration();
    world.count(Occurrence.PAUSED);
    if (nanos > plan.ttlMax().toNanos()) {
      world.count(Occurrence.PAUSED_OVER_TTL);
    }
    paused.pause();
    world.after(nanos, paused::resume);
  }

  /** At the instants that a deadline or a loss may hang on. */
  private void pauseAtNext(SimulatedNode node) {
    SimulatedProcess.Moment[] moments = SimulatedProcess.Moment.values();
    SimulatedProcess.Moment moment = moments[world.random().nextInt(moments.length)];
    long nanos = duration();
    SimulatedProcess paused = node.process();
    paused.atNext(
        moment,
        () -> {
          if (over) {
            return;
          }
          world.tell(() -> "%s pauses at %s".formatted(node.name(), moment));
          world.count(
              switch (moment) {
                case HANDED_OVER -> Occurrence.PAUSED_WHEN_HANDED_OVER;
                case SENT -> Occurrence.PAUSED_WHEN_SENT;
                case ANSWERED -> Occurrence.PAUSED_WHEN_ANSWERED;
              });
          paused.pause();
          world.after(nanos, paused::resume);
        });
  }

  private void suspend(SimulatedNode node) {
    SimulatedProcess suspended = node.process();
    world.count(Occurrence.SUSPENDED);
    suspended.suspend();
    world.after(duration(), suspended::resume);
  }

  private void crash(SimulatedNode node) {
    world.count(Occurrence.CRASHED);
    node.crash();
    world.after(duration(), node::restart);
  }

  private void isolate(String node, long nanos) {
    for (SimulatedNode other : nodes) {
      if (!other.name().equals(node)) {
        cutOneWay(node, other.name(), nanos);
        cutOneWay(other.name(), node, nanos);
      }
    }
  }

  private void cutOneWay(String from, String to, long nanos) {
    group.network().cut(from, to);
    world.after(nanos, () -> group.network().mend(from, to));
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
