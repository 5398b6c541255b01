package io.leasehold.raft;

import io.leasehold.LeaseEvent;
import io.leasehold.Subscription;
import io.leasehold.raft.meters.HolderMeters.Reread;
import io.leasehold.store.LeaseReading;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.core.Event;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one observer is told: the state first, then every change in order. It begins by listening to
 * the replica, then reads the table, and passes on what came after that reading. When the observer
 * falls behind, or the replica's table was replaced by a snapshot, it begins anew, and so never
 * misses the last state silently. Confined to the node's strand; the observer is called on the
 * callback executor, one event at a time.
 */
final class ObserverFeed implements LeaseStore.Watcher {

  private static final Logger LOG = LoggerFactory.getLogger(ObserverFeed.class);
  private static final int BACKLOG_MAX = 100_000;
  private static final Duration RETRY = Duration.ofMillis(500);

  private final LeaseNode node;
  private final LeaseStore store;
  private final Optional<String> name;
  private final Consumer<LeaseEvent> observer;
  private final Deque<Indexed> sinceListening = new ArrayDeque<>();
  private final Deque<LeaseEvent> backlog = new ArrayDeque<>();
  private final Set<String> toldAsHeld = new HashSet<>();
  private boolean synced;
  private boolean telling;
  private boolean closed;
  private long round;

  /** What happened up to here was in the state that was told. */
  private long toldIndex;

  private Timer.@Nullable Cancellable retry;

  private ObserverFeed(
      LeaseNode node, LeaseStore store, Optional<String> name, Consumer<LeaseEvent> observer) {
    this.node = node;
    this.store = store;
    this.name = name;
    this.observer = observer;
  }

  static Subscription open(
      LeaseNode node, LeaseStore store, Optional<String> name, Consumer<LeaseEvent> observer) {
    ObserverFeed feed = new ObserverFeed(node, store, name, observer);
    Subscription listening = store.watch(feed);
    node.run(feed::begin);
    return () -> {
      listening.close();
      node.run(feed::close);
    };
  }

  @Override
  public void applied(long index, List<Event> events) {
    List<LeaseEvent> relevant = new ArrayList<>();
    for (Event event : events) {
      LeaseEvent told = leaseEvent(event);
      if (told != null && name.map(told.name()::equals).orElse(true)) {
        relevant.add(told);
      }
    }
    if (!relevant.isEmpty()) {
      node.run(() -> relevant.forEach(event -> heard(new Indexed(index, event))));
    }
  }

  @Override
  public void replaced(long index) {
    node.run(() -> beginAnew(Reread.REPLACED));
  }

  private void beginAnew(Reread cause) {
    if (!closed) {
      node.meters().reread(cause);
    }
    begin();
  }

  private void heard(Indexed heard) {
    if (closed) {
      return;
    }
    if (synced) {
      tellIfNew(heard);
    } else if (sinceListening.size() < BACKLOG_MAX) {
      sinceListening.add(heard);
    } else {
      beginAnew(Reread.BEHIND);
    }
  }

  private void begin() {
    if (closed) {
      return;
    }
    synced = false;
    sinceListening.clear();
    backlog.clear();
    long thisRound = ++round;
    CompletableFuture<Void> unused =
        node.request(LeaseNode.BARRIER, "a watch of the leases", false)
            .thenCompose(applied -> store.readAt(applied.index()))
            .handle(
                (reading, failure) -> {
                  node.run(() -> read(thisRound, reading, failure));
                  return null;
                });
  }

  private void read(
      long ofRound, LeaseStore.@Nullable Reading reading, @Nullable Throwable failure) {
    if (closed || ofRound != round) {
      return;
    }
    if (reading == null) {
      LOG.debug("A watch could not read the leases; trying again", failure);
      retry = node.after(RETRY, this::begin);
      return;
    }
    LeaseStore.Moment moment = name.isPresent() ? reading.find(name.get()) : reading.all();
    toldIndex = moment.index();
    tellState(moment.leases());
    synced = true;
    while (!sinceListening.isEmpty()) {
      tellIfNew(sinceListening.remove());
    }
  }

  /** The replica writes its table before it tells, so the state may be ahead of what is heard. */
  private void tellIfNew(Indexed heard) {
    if (heard.index() > toldIndex) {
      tell(heard.event());
    }
  }

  private void tellState(List<LeaseReading> held) {
    Set<String> free = new HashSet<>(toldAsHeld);
    name.ifPresent(free::add);
    for (LeaseReading lease : held) {
      free.remove(lease.lease().name());
      tell(
          new LeaseEvent(
              LeaseEvent.Kind.CURRENT,
              lease.lease().name(),
              lease.lease().holder().owner(),
              lease.lease().holder().node(),
              lease.lease().token()));
    }
    free.forEach(gone -> tell(new LeaseEvent(LeaseEvent.Kind.FREE, gone, null, null, 0)));
  }

  private void tell(LeaseEvent event) {
    if (backlog.size() >= BACKLOG_MAX) {
      LOG.warn(
          "An observer of {} fell behind by {} events; it starts anew",
          name.orElse("all leases"),
          BACKLOG_MAX);
      beginAnew(Reread.BEHIND);
      return;
    }
    backlog.add(event);
    tellNext();
  }

  private void tellNext() {
    if (telling || closed || backlog.isEmpty()) {
      return;
    }
    telling = true;
    LeaseEvent next = backlog.remove();
    // Only now, for what is in the backlog is forgotten when the feed begins anew.
    switch (next.kind()) {
      case CURRENT, GRANTED -> toldAsHeld.add(next.name());
      case FREE, RELEASED, EXPIRED, TAKEN_OVER -> toldAsHeld.remove(next.name());
      case REVOKED -> {} // its end is still to be told, as FREE if the event is missed
    }
    node.callbacks()
        .execute(
            () -> {
              try {
                observer.accept(next);
              } catch (RuntimeException | Error e) {
                LOG.warn("An observer failed on {}", next, e);
              } finally {
                node.run(
                    () -> {
                      telling = false;
                      tellNext();
                    });
              }
            });
  }

  private void close() {
    closed = true;
    backlog.clear();
    sinceListening.clear();
    if (retry != null) {
      retry.cancel();
    }
  }

  private static @Nullable LeaseEvent leaseEvent(Event event) {
    if (event instanceof Event.Granted granted) {
      return of(LeaseEvent.Kind.GRANTED, granted.name(), event, granted.token());
    } else if (event instanceof Event.Released released) {
      return of(LeaseEvent.Kind.RELEASED, released.name(), event, released.token());
    } else if (event instanceof Event.Expired expired) {
      return of(LeaseEvent.Kind.EXPIRED, expired.name(), event, expired.token());
    } else if (event instanceof Event.TakenOver takenOver) {
      return of(LeaseEvent.Kind.TAKEN_OVER, takenOver.name(), event, takenOver.token());
    } else if (event instanceof Event.Revoked revoked) {
      return of(LeaseEvent.Kind.REVOKED, revoked.name(), event, revoked.token());
    }
    return null;
  }

  private static LeaseEvent of(LeaseEvent.Kind kind, String name, Event event, long token) {
    return new LeaseEvent(kind, name, event.holder().owner(), event.holder().node(), token);
  }

  private record Indexed(long index, LeaseEvent event) {}
}
