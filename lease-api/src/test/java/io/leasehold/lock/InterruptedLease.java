package io.leasehold.lock;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A lease whose waiting acquires are interrupted in the very moment in which they are granted. */
record InterruptedLease(Lease lease) implements Lease {

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    CompletableFuture<Boolean> interrupted =
        new CompletableFuture<>() {
          @Override
          public Boolean get(long timeout, TimeUnit unit) throws InterruptedException {
            throw new InterruptedException("in the moment of the grant");
          }
        };
    interrupted.complete(lease.acquire(maxWait).toCompletableFuture().join());
    return interrupted;
  }

  @Override
  public LeaseSettings settings() {
    return lease.settings();
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return lease.acquire();
  }

  @Override
  public CompletionStage<Void> release() {
    return lease.release();
  }

  @Override
  public boolean checkAlive() {
    return lease.checkAlive();
  }

  @Override
  public Duration remaining() {
    return lease.remaining();
  }

  @Override
  public OptionalLong fencingToken() {
    return lease.fencingToken();
  }

  @Override
  public Subscription onLost(Consumer<LeaseLost> handler) {
    return lease.onLost(handler);
  }
}
