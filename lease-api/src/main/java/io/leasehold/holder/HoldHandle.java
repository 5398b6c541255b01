package io.leasehold.holder;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.Lease;
import io.leasehold.LeaseLimits;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A handle: settings, and the hold that it shares. Safe for many threads. */
public final class HoldHandle implements Lease {

  private final LeaseSettings settings;
  private final SharedHold hold;

  /** A handle for a hold of the settings' name and owner. */
  public HoldHandle(LeaseSettings settings, SharedHold hold) {
    this.settings = settings;
    this.hold = hold;
  }

  @Override
  public LeaseSettings settings() {
    return settings;
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return hold.acquire(settings, Duration.ZERO);
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    LeaseLimits.faultInMaxWait(maxWait)
        .ifPresent(
            fault -> {
              throw new InvalidLeaseArgumentException("maxWait", fault);
            });
    return hold.acquire(settings, maxWait);
  }

  @Override
  public CompletionStage<Void> release() {
    return hold.release();
  }

  @Override
  public boolean checkAlive() {
    return hold.isAlive();
  }

  @Override
  public Duration remaining() {
    return hold.remaining();
  }

  @Override
  public OptionalLong fencingToken() {
    return hold.token();
  }

  @Override
  public Subscription onLost(Consumer<LeaseLost> handler) {
    if (handler == null) {
      throw new InvalidLeaseArgumentException("handler", "must not be null");
    }
    return hold.onLost(handler);
  }
}
