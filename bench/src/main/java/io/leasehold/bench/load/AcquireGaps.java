package io.leasehold.bench.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/** The longest time without an acquire, whoever of the callers makes it. Safe for many threads. */
final class AcquireGaps {

  private final LongSupplier nanos;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private boolean watching;

  @GuardedBy("lock")
  private long lastNanos;

  @GuardedBy("lock")
  private long longestNanos;

  AcquireGaps(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Begins to watch, as if one had acquired just now. */
  void begin() {
    synchronized (lock) {
      watching = true;
      lastNanos = nanos.getAsLong();
      longestNanos = 0;
    }
  }

  /** Ends it, as if one acquired just now, and returns the longest gap. */
  long endNanos() {
    synchronized (lock) {
      acquired();
      watching = false;
      return longestNanos;
    }
  }

  private void acquired() {
    synchronized (lock) {
      long now = nanos.getAsLong();
      if (watching) {
        longestNanos = Math.max(longestNanos, now - lastNanos);
        lastNanos = now;
      }
    }
  }

  /** Returns the same contender, each of whose acquires ends a gap. */
  Contender watched(Contender contender) {
    return new Contender() {
      @Override
      public CompletionStage<Boolean> acquire() {
        return noted(contender.acquire());
      }

      @Override
      public CompletionStage<Boolean> acquire(Duration maxWait) {
        return noted(contender.acquire(maxWait));
      }

      @Override
      public CompletionStage<?> release() {
        return contender.release();
      }
    };
  }

  private CompletionStage<Boolean> noted(CompletionStage<Boolean> acquire) {
    return acquire.thenApply(
        granted -> {
          if (granted) {
            acquired();
          }
          return granted;
        });
  }
}
