package io.leasehold.spring;

import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A lease that each acquire finds lost, and free: it is granted with the next token. */
final class RegrantedLease implements Lease {

  private final LeaseSettings settings;
  private long lastToken;
  private boolean held;

  RegrantedLease(LeaseSettings settings) {
    this.settings = settings;
  }

  LeaseProvider provider() {
    return new LeaseProvider() {
      @Override
      public Lease lease(LeaseSettings ignored) {
        return RegrantedLease.this;
      }

      @Override
      public LeaseInspector inspector() {
        throw new UnsupportedOperationException();
      }

      @Override
      public Subscription beforeClose(Supplier<? extends CompletionStage<?>> stop) {
        throw new UnsupportedOperationException();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public LeaseSettings settings() {
    return settings;
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    lastToken++;
    held = true;
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    return acquire();
  }

  @Override
  public CompletionStage<Void> release() {
    held = false;
    return CompletableFuture.allOf();
  }

  @Override
  public boolean checkAlive() {
    return held;
  }

  @Override
  public Duration remaining() {
    return held ? settings.ttl() : Duration.ZERO;
  }

  @Override
  public OptionalLong fencingToken() {
    return held ? OptionalLong.of(lastToken) : OptionalLong.empty();
  }

  @Override
  public Subscription onLost(Consumer<LeaseLost> handler) {
    return () -> {};
  }
}
