package io.leasehold.harness.http;

import io.leasehold.LeaseInspector;
import io.leasehold.LeaseLost;
import io.leasehold.Subscription;
import io.leasehold.harness.wire.EventView;
import io.leasehold.store.StoreStatus;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The readers of {@code /events}. Confined to the loop. */
final class EventFeed {

  private static final int READERS_MAX = 32;
  private static final Duration LEADER_LOOK = Duration.ofMillis(100);

  private final LeaseInspector inspector;
  private final Supplier<StoreStatus> status;
  private final Executor loop;
  private final Timer timer;
  private final Map<Exchange, Reader> readers = new LinkedHashMap<>();
  private Optional<String> leader = Optional.empty();
  private boolean looking;

  /**
   * @param timer whose tasks run on the loop
   */
  EventFeed(LeaseInspector inspector, Supplier<StoreStatus> status, Executor loop, Timer timer) {
    this.inspector = inspector;
    this.status = status;
    this.loop = loop;
    this.timer = timer;
  }

  /** Opens a stream for a caller; it ends when the caller hangs up or the feed closes. */
  void open(Exchange exchange) {
    exchange.query();
    if (readers.size() >= READERS_MAX) {
      throw Refusal.unavailable(
          "this node serves at most " + READERS_MAX + " event streams at a time");
    }
    var response = exchange.response();
    response
        .setChunked(true)
        .putHeader("Content-Type", "text/event-stream; charset=utf-8")
        .putHeader("Cache-Control", "no-store");
    EventStream stream = new EventStream(response, loop);
    StoreStatus now = status.get();
    if (readers.isEmpty()) {
      leader = now.leader();
    }
    stream.offer(EventView.leader(leader.orElse(null), now.term()));
    Subscription changes = inspector.watchAll(event -> stream.offer(EventView.of(event)));
    if (!looking) {
      looking = true;
      lookAgainLater();
    }
    readers.put(exchange, new Reader(stream, changes));
    exchange.whenGone(() -> forget(exchange));
  }

  /** Tells of a loss on this node. */
  void lost(LeaseLost lost, String node) {
    tell(EventView.lost(lost, node));
  }

  private void lookAgainLater() {
    var unused = timer.schedule(LEADER_LOOK, this::lookForLeader);
  }

  /** Looks whether there is another leader, for as long as somebody reads. */
  private void lookForLeader() {
    if (readers.isEmpty()) {
      looking = false;
      return;
    }
    lookAgainLater();
    StoreStatus now = status.get();
    if (!now.leader().equals(leader)) {
      leader = now.leader();
      tell(EventView.leader(leader.orElse(null), now.term()));
    }
  }

  /** Lets idle connections show whether they still live. */
  void signOfLife() {
    readers.values().forEach(reader -> reader.stream.offerSignOfLife());
  }

  /** How many read. */
  int size() {
    return readers.size();
  }

  /** Ends all streams. */
  void close() {
    List<Exchange> all = new ArrayList<>(readers.keySet());
    for (Exchange exchange : all) {
      forget(exchange);
      if (!exchange.response().ended()) {
        var unused = exchange.response().end();
      }
    }
  }

  private void tell(EventView event) {
    readers.values().forEach(reader -> reader.stream.offer(event));
  }

  private void forget(Exchange exchange) {
    Reader reader = readers.remove(exchange);
    if (reader != null) {
      reader.changes.close();
    }
  }

  private record Reader(EventStream stream, Subscription changes) {}
}
