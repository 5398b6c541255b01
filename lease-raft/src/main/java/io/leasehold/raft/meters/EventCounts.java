package io.leasehold.raft.meters;

import static java.util.Objects.requireNonNull;

import io.leasehold.store.LeaseStore;
import io.leasehold.store.core.Event;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what a replica applies, and the leaders it has known. It is told on the thread that
 * applies, where it neither locks nor allocates; read on any.
 */
final class EventCounts implements LeaseStore.Watcher {

  private final Map<Kind, LongAdder> counts = new EnumMap<>(Kind.class);
  private final LongAdder leaderChanges = new LongAdder();

  EventCounts() {
    for (Kind kind : Kind.values()) {
      counts.put(kind, new LongAdder());
    }
  }

  /** What can happen. */
  enum Kind {
    GRANTED,
    RELEASED,
    EXPIRED,
    TAKEN_OVER,
    REVOKED,
    SKIPPED,
    SESSION_OPENED,
    SESSION_ENDED;

    static Kind of(Event event) {
      if (event instanceof Event.Granted) {
        return GRANTED;
      } else if (event instanceof Event.Released) {
        return RELEASED;
      } else if (event instanceof Event.Expired) {
        return EXPIRED;
      } else if (event instanceof Event.TakenOver) {
        return TAKEN_OVER;
      } else if (event instanceof Event.Revoked) {
        return REVOKED;
      } else if (event instanceof Event.Skipped) {
        return SKIPPED;
      } else if (event instanceof Event.SessionOpened) {
        return SESSION_OPENED;
      } else if (event instanceof Event.SessionEnded) {
        return SESSION_ENDED;
      }
      throw new IllegalStateException("unknown event: " + event);
    }
  }

  @Override
  public void applied(long index, List<Event> events) {
    for (int i = 0; i < events.size(); i++) { // an iterator would have to be allocated
      of(Kind.of(events.get(i))).increment();
    }
  }

  @Override
  public void replaced(long index) {
    // What was between is not counted.
  }

  @Override
  public void leaderChanged(Optional<String> leader) {
    if (leader.isPresent()) {
      leaderChanges.increment();
    }
  }

  long count(Kind kind) {
    return of(kind).sum();
  }

  private LongAdder of(Kind kind) {
    return requireNonNull(counts.get(kind));
  }

  long leaderChanges() {
    return leaderChanges.sum();
  }
}
