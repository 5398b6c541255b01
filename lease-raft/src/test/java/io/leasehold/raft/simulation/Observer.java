package io.leasehold.raft.simulation;

import io.leasehold.LeaseEvent;
import io.leasehold.raft.simulation.Violation.Rule;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Watches all leases from one node in one of its lives. */
final class Observer {

  private final World world;
  private final SimulatedNode node;
  private final Map<String, Long> held = new TreeMap<>();

  Observer(World world, SimulatedNode node) {
    this.world = world;
    this.node = node;
    var unused = node.holder().inspector().watchAll(this::saw);
  }

  private void saw(LeaseEvent event) {
    world.tell(() -> "observer on %s sees %s".formatted(node.name(), event));
    switch (event.kind()) {
      case CURRENT -> held.put(event.name(), event.fencingToken());
      case GRANTED -> granted(event);
      case FREE -> held.remove(event.name());
      case RELEASED, EXPIRED, TAKEN_OVER -> held.remove(event.name(), event.fencingToken());
      case REVOKED -> {}
    }
  }

  private void granted(LeaseEvent event) {
    Long former = held.put(event.name(), event.fencingToken());
    if (former != null && former >= event.fencingToken()) {
      world.fail(
          new Violation(
              Rule.INSPECTION, "%s saw %s after token %d".formatted(node.name(), event, former)));
    }
  }

  /** Nothing happens any more: it has seen the last state. */
  void checkAtRest(Tenures tenures) {
    for (String name : tenures.leases()) {
      Long now = tenures.current(name).map(tenure -> tenure.token).orElse(null);
      if (!Objects.equals(now, held.get(name))) {
        throw new Violation(
            Rule.INSPECTION,
            "the observer on %s believes that %s has token %s, and it is %s"
                .formatted(node.name(), name, held.get(name), now));
      }
    }
  }
}
