package io.leasehold.holder;

import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * What one owner has of one lease on one node; all handles for them share it. The methods are those
 * of {@link io.leasehold.Lease}, with arguments that have been checked. Safe for many threads.
 */
public interface SharedHold {

  /** As {@link io.leasehold.Lease#acquire(Duration)}, with the settings of the handle. */
  CompletionStage<Boolean> acquire(LeaseSettings settings, Duration maxWait);

  /** As {@link io.leasehold.Lease#release()}. */
  CompletionStage<Void> release();

  /** As {@link io.leasehold.Lease#checkAlive()}. */
  boolean isAlive();

  /** As {@link io.leasehold.Lease#remaining()}. */
  Duration remaining();

  /** As {@link io.leasehold.Lease#fencingToken()}. */
  OptionalLong token();

  /** As {@link io.leasehold.Lease#onLost}. */
  Subscription onLost(Consumer<LeaseLost> handler);
}
