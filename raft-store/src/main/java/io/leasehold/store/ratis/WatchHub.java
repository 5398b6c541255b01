package io.leasehold.store.ratis;

import io.leasehold.Subscription;
import io.leasehold.store.LeaseStore.Watcher;
import io.leasehold.store.core.Event;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's watchers. Told on the thread that applies, in log order; leader changes come on
 * whichever thread of Ratis learns of them. Safe for many threads.
 */
final class WatchHub {

  private static final Logger LOG = LoggerFactory.getLogger(WatchHub.class);

  private final List<Watcher> watchers = new CopyOnWriteArrayList<>();
  private volatile Optional<String> stopped = Optional.empty();

  Subscription add(Watcher watcher) {
    // A watcher may be added twice, and each subscription ends its own.
    Watcher own =
        new Watcher() {
          @Override
          public void applied(long index, List<Event> events) {
            watcher.applied(index, events);
          }

          @Override
          public void replaced(long index) {
            watcher.replaced(index);
          }

          @Override
          public void leaderChanged(Optional<String> leader) {
            watcher.leaderChanged(leader);
          }

          @Override
          public void stopped(String why) {
            watcher.stopped(why);
          }
        };
    watchers.add(own);
    stopped.ifPresent(own::stopped);
    return () -> watchers.remove(own);
  }

  void applied(long index, List<Event> events) {
    if (!events.isEmpty()) {
      tell(watcher -> watcher.applied(index, events));
    }
  }

  void replaced(long index) {
    tell(watcher -> watcher.replaced(index));
  }

  void leaderChanged(Optional<String> leader) {
    tell(watcher -> watcher.leaderChanged(leader));
  }

  /** Nothing else will be told; who comes later is told the same. */
  void stopped(String why) {
    stopped = Optional.of(why);
    tell(watcher -> watcher.stopped(why));
  }

  /** A watcher that throws must not stop the replica, nor keep others from hearing. */
  private void tell(Consumer<Watcher> news) {
    for (Watcher watcher : watchers) {
      try {
        news.accept(watcher);
      } catch (RuntimeException | Error e) {
        LOG.error("a watcher has thrown; it may have missed something", e);
      }
    }
  }
}
