package io.leasehold.harness.shards;

import io.leasehold.harness.shards.ShardEvent.Kind;
import io.leasehold.time.Ticker;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a node writes down what it does. Confined to the node's strand. */
final class ShardLog {

  private final String node;
  private final Ticker clock;
  private final Consumer<ShardEvent> out;

  ShardLog(String node, Ticker clock, Consumer<ShardEvent> out) {
    this.node = node;
    this.clock = clock;
    this.out = out;
  }

  /** To be read before the question whether a lease is held. */
  long now() {
    return clock.nanos();
  }

  void begun(long coordinator) {
    write(Kind.BEGUN, now(), coordinator, 0, null);
  }

  void coordinates(long at, long coordinator) {
    write(Kind.COORDINATES, at, coordinator, 0, null);
  }

  void decided(long at, Allocation allocation) {
    write(Kind.DECIDED, at, allocation.fencingToken(), 0, allocation);
  }

  void ended(long coordinator) {
    write(Kind.ENDED, now(), coordinator, 0, null);
  }

  void hosts(long at, RegionId region) {
    write(Kind.HOSTS, at, 0, region.token(), null);
  }

  void obeys(long at, RegionId region, long coordinator) {
    write(Kind.OBEYS, at, coordinator, region.token(), null);
  }

  void accepted(long at, RegionId region, Allocation allocation) {
    write(Kind.ACCEPTED, at, allocation.fencingToken(), region.token(), allocation);
  }

  void refused(long at, RegionId region, Allocation allocation) {
    write(Kind.REFUSED, at, allocation.fencingToken(), region.token(), allocation);
  }

  private void write(
      Kind kind, long at, long coordinator, long region, @Nullable Allocation allocation) {
    out.accept(new ShardEvent(kind, at, node, coordinator, region, allocation));
  }
}
