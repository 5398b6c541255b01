package io.leasehold.raft.meters;

import static java.util.Objects.requireNonNull;

import io.leasehold.Subscription;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.PeerRefusal;
import io.leasehold.store.StoreFigures;
import io.leasehold.store.StoreStatus;
import io.leasehold.time.Ticker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.function.ToDoubleFunction;

/**
 * All meters of one node, from its start to its end. What the store measures is asked for when the
 * meters are looked at. Safe for many threads.
 */
public final class NodeMeters implements AutoCloseable {

  private final MeterShelf shelf;
  private final HolderRecord holder;
  private final Subscription events;

  private NodeMeters(MeterShelf shelf, HolderRecord holder, Subscription events) {
    this.shelf = shelf;
    this.holder = holder;
    this.events = events;
  }

  /**
   * Puts them into a registry.
   *
   * @param taggedWithLease whether what concerns one lease is told with its name
   * @throws IllegalArgumentException if the registry has meters of these names with other tags
   */
  public static NodeMeters open(
      MeterRegistry registry,
      String cluster,
      LeaseStore store,
      Ticker ticker,
      boolean taggedWithLease) {
    requireNonNull(registry, "registry");
    MeterShelf shelf = new MeterShelf(registry, Tags.of("cluster", cluster, "node", store.node()));
    try {
      HolderRecord holder = new HolderRecord(shelf, taggedWithLease);
      EventCounts counts = new EventCounts();
      for (EventCounts.Kind kind : EventCounts.Kind.values()) {
        shelf.counter(NodeMeter.EVENTS, HolderRecord.tag("kind", kind), () -> counts.count(kind));
      }
      shelf.counter(NodeMeter.LEADER_CHANGES, Tags.empty(), counts::leaderChanges);
      ofStore(shelf, store);
      long begunNanos = ticker.nanos();
      shelf.counter(
          NodeMeter.CLOCK_TIME,
          Tags.empty(),
          () -> seconds(Duration.ofNanos(ticker.nanos() - begunNanos)));
      return new NodeMeters(shelf, holder, store.watch(counts));
    } catch (RuntimeException e) {
      shelf.close();
      throw e;
    }
  }

  private static void ofStore(MeterShelf shelf, LeaseStore store) {
    for (StoreStatus.Role role : StoreStatus.Role.values()) {
      shelf.gauge(
          NodeMeter.ROLE,
          HolderRecord.tag("role", role),
          () -> store.status().role() == role ? 1 : 0);
    }
    status(shelf, NodeMeter.TERM, store, StoreStatus::term);
    status(
        shelf,
        NodeMeter.SERVING,
        store,
        now -> now.waitsFor().isEmpty() && now.failure().isEmpty() ? 1 : 0);
    status(shelf, NodeMeter.LEADER_KNOWN, store, now -> now.leader().isPresent() ? 1 : 0);
    status(shelf, NodeMeter.MEMBERS, store, now -> now.members().size());
    status(shelf, NodeMeter.MEMBERS_AILING, store, now -> now.memberWarnings().size());
    for (PeerRefusal kind : PeerRefusal.values()) {
      shelf.counter(
          NodeMeter.PEERS_REFUSED, HolderRecord.tag("kind", kind), () -> store.refused(kind));
    }
    status(shelf, NodeMeter.APPLIED, store, StoreStatus::appliedIndex);
    shelf.counter(
        NodeMeter.LEASE_TIME,
        Tags.empty(),
        () -> seconds(Duration.ofNanos(store.status().leaseTimeNanos())));
    figure(shelf, NodeMeter.LEASES, Tags.empty(), store, StoreFigures::leases);
    figure(shelf, NodeMeter.SESSIONS, Tags.empty(), store, StoreFigures::sessions);
    figure(shelf, NodeMeter.BEHIND, Tags.empty(), store, StoreFigures::entriesBehind);
    figure(shelf, NodeMeter.SNAPSHOT_AGE, Tags.empty(), store, now -> seconds(now.snapshotAge()));
    shelf.timer(
        NodeMeter.SNAPSHOTS,
        () -> store.figures().snapshots(),
        () -> seconds(store.figures().snapshotsTook()));
    figure(shelf, NodeMeter.DISK_USED, Tags.of("part", "log"), store, now -> now.disk().log());
    figure(shelf, NodeMeter.DISK_USED, Tags.of("part", "table"), store, now -> now.disk().table());
    figure(
        shelf,
        NodeMeter.DISK_USED,
        Tags.of("part", "snapshots"),
        store,
        now -> now.disk().snapshots());
    figure(shelf, NodeMeter.DISK_FREE, Tags.empty(), store, now -> now.disk().free());
    figure(
        shelf, NodeMeter.DISK_STALLED, Tags.empty(), store, now -> seconds(now.diskStoodStill()));
  }

  private static void status(
      MeterShelf shelf, NodeMeter meter, LeaseStore store, ToDoubleFunction<StoreStatus> value) {
    shelf.gauge(meter, Tags.empty(), () -> value.applyAsDouble(store.status()));
  }

  private static void figure(
      MeterShelf shelf,
      NodeMeter meter,
      Tags tags,
      LeaseStore store,
      ToDoubleFunction<StoreFigures> value) {
    shelf.gauge(meter, tags, () -> value.applyAsDouble(store.figures()));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  /** Returns what the holder's side is to tell. */
  public HolderMeters holder() {
    return holder;
  }

  /** Takes them out of the registry. */
  @Override
  public void close() {
    events.close();
    shelf.close();
  }
}
