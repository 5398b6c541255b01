package io.leasehold.bench.load;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** An owner who wants one lease. */
public interface Contender {

  /** Completes with whether this owner has the lease now. */
  CompletionStage<Boolean> acquire();

  /** As {@link #acquire()}, but waits for others to release it. */
  CompletionStage<Boolean> acquire(Duration maxWait);

  /** Completes when the store has freed the lease. */
  CompletionStage<?> release();
}
