package io.leasehold.harness.up;

import io.leasehold.harness.up.ClusterView.Happening;
import io.leasehold.harness.wire.EventText;
import io.leasehold.harness.wire.EventView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What has happened last. All nodes tell of the same changes, each when it comes to them; here each
 * is once, as soon as the first has told of it. Confined to the loop.
 */
final class History {

  static final int KEPT_MAX = 300;
  private static final int KNOWN_MAX = 10_000;

  private final LongSupplier wallMillis;
  private final Deque<Happening> kept = new ArrayDeque<>();
  private final Set<List<Object>> known = new LinkedHashSet<>();
  private long last;
  private long changes;

  History(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
  }

  /**
   * Takes an event in.
   *
   * @param teller the node that tells of it
   * @return whether it is news
   */
  boolean heard(String teller, EventView event) {
    return switch (event.event()) {
      case "current", "free", "behind" -> false;
      case "lost" -> {
        add("lost", EventText.of(event));
        yield true;
      }
      case "leader" -> leader(teller, event);
      default -> change(event);
    };
  }

  private boolean leader(String teller, EventView event) {
    if (event.leader() == null) {
      add("no-leader", teller + " knows of no leader");
      return true;
    }
    boolean isNew =
        isNew(List.of("leader", event.leader(), event.term() == null ? 0 : event.term()));
    if (isNew) {
      add("leader", EventText.of(event));
    }
    return isNew;
  }

  private boolean change(EventView event) {
    boolean isNew =
        isNew(
            List.of(
                event.event(),
                String.valueOf(event.name()),
                event.fencingToken() == null ? 0 : event.fencingToken()));
    if (isNew) {
      changes++;
      add(event.event(), EventText.of(event));
    }
    return isNew;
  }

  private boolean isNew(List<Object> key) {
    boolean isNew = known.add(key);
    if (known.size() > KNOWN_MAX) {
      known.remove(known.iterator().next());
    }
    return isNew;
  }

  /** Adds something that no node told of. */
  void add(String kind, String text) {
    last++;
    kept.addLast(new Happening(last, wallMillis.getAsLong(), kind, text));
    if (kept.size() > KEPT_MAX) {
      kept.removeFirst();
    }
  }

  /** What came after the one with a number, as far as it is kept. */
  List<Happening> after(long number) {
    return kept.stream().filter(happening -> happening.number() > number).toList();
  }

  /** The number of the last one; 0 when there is none. */
  long last() {
    return last;
  }

  /** How many changes of leases there were. */
  long changes() {
    return changes;
  }
}
