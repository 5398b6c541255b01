package io.leasehold.bench.load;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.bench.cluster.Place;
import io.leasehold.bench.cluster.ThreeNodes;
import io.leasehold.raft.RaftLeases;
import io.leasehold.store.StoreStatus.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** One of our own nodes under load: whichever is in the right place. Confined to one thread. */
final class NodeTarget implements LoadTarget {

  private static final Duration TTL = Duration.ofSeconds(10);

  private final String name;
  private final ThreeNodes cluster;
  private final Place place;
  private RaftLeases node;

  NodeTarget(String name, ThreeNodes cluster, Place place) {
    this.name = name;
    this.cluster = cluster;
    this.place = place;
    this.node = cluster.nodeAt(place);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Contender contender(String lease, String owner) {
    return new Handle(node.lease(LeaseSettings.of(lease, owner, TTL)));
  }

  @Override
  public List<Long> pids() {
    return cluster.pids();
  }

  @Override
  public void settle() {
    node = cluster.nodeAt(place);
  }

  @Override
  public boolean isAsNamed() {
    return (node.status().role() == Role.LEADER) == (place == Place.LEADER);
  }

  @Override
  public void close() {
    cluster.close();
  }

  /** A lease of ours. */
  record Handle(Lease lease) implements Contender {

    @Override
    public CompletionStage<Boolean> acquire() {
      return lease.acquire();
    }

    @Override
    public CompletionStage<Boolean> acquire(Duration maxWait) {
      return lease.acquire(maxWait);
    }

    @Override
    public CompletionStage<?> release() {
      return lease.release();
    }
  }
}
