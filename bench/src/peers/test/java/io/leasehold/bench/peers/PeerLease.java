package io.leasehold.bench.peers;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A handle of a peer's lease. No peer says what remains of it. */
record PeerLease(LeaseSettings settings, PeerHold hold) implements Lease {

  @Override
  public CompletionStage<Boolean> acquire() {
    return hold.acquire();
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    return hold.acquire(maxWait);
  }

  @Override
  public CompletionStage<Void> release() {
    return hold.release();
  }

  @Override
  public boolean checkAlive() {
    return hold.token().isPresent();
  }

  @Override
  public Duration remaining() {
    return Duration.ZERO;
  }

  @Override
  public OptionalLong fencingToken() {
    return hold.token();
  }

  @Override
  public Subscription onLost(Consumer<LeaseLost> handler) {
    return hold.onLost(handler);
  }
}
