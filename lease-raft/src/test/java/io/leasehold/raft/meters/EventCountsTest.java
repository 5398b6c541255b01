package io.leasehold.raft.meters;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.Holder;
import io.leasehold.store.core.SessionId;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class EventCountsTest {

  private static final Holder HOLDER = new Holder(new SessionId(1, 1), "n1", "a");
  private static final int CALLS = 1_000;

  private final List<Event> all =
      List.of(
          new Event.Granted("x", HOLDER, 1, 1, 1),
          new Event.Released("x", HOLDER, 1),
          new Event.Expired("x", HOLDER, 1),
          new Event.TakenOver("x", HOLDER, 1, HOLDER),
          new Event.Revoked("x", HOLDER, 1, "maintenance", true),
          new Event.Skipped("x", HOLDER, 1),
          new Event.SessionOpened(HOLDER),
          new Event.SessionEnded(HOLDER));

  private final EventCounts counts = new EventCounts();

  @Test
  void everyEventHasAKindOfItsOwn() {
    assertThat(all.stream().map(Object::getClass))
        .containsExactlyInAnyOrder(Event.class.getPermittedSubclasses());
    Set<EventCounts.Kind> kinds = EnumSet.noneOf(EventCounts.Kind.class);
    all.forEach(event -> kinds.add(EventCounts.Kind.of(event)));

    assertThat(kinds).containsExactly(EventCounts.Kind.values());
  }

  @Test
  void countsEachEvent() {
    counts.applied(1, all);
    counts.applied(2, all.subList(0, 1));

    assertThat(counts.count(EventCounts.Kind.GRANTED)).isEqualTo(2);
    assertThat(counts.count(EventCounts.Kind.SESSION_ENDED)).isOne();
  }

  /** It is told on the thread that applies, on which all nodes wait. */
  @Test
  void allocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    List<Long> bytes = new ArrayList<>();
    for (int round = 0; round < 20; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < CALLS; i++) {
        counts.applied(i, all);
      }
      bytes.add(threads.getCurrentThreadAllocatedBytes() - before);
    }

    assertThat(bytes).contains(0L);
  }
}
