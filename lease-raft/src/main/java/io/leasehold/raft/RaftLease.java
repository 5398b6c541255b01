package io.leasehold.raft;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.Lease;
import io.leasehold.LeaseLimits;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import io.leasehold.raft.meters.HolderMeters.AcquireOutcome;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A handle: one user's view of a claimant, with the settings for what is acquired through it. */
final class RaftLease implements Lease {

  /** Longer waits than anybody means; keeps the arithmetic of nanoseconds from overflowing. */
  private static final Duration WAIT_MAX = Duration.ofDays(3650);

  private final LeaseNode node;
  private final Claimant claimant;
  private final LeaseSettings settings;

  RaftLease(LeaseNode node, Claimant claimant, LeaseSettings settings) {
    this.node = node;
    this.claimant = claimant;
    this.settings = settings;
  }

  @Override
  public LeaseSettings settings() {
    return settings;
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return acquire(Duration.ZERO);
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    LeaseLimits.faultInMaxWait(maxWait)
        .ifPresent(
            fault -> {
              throw new InvalidLeaseArgumentException("maxWait", fault);
            });
    long calledNanos = node.nowNanos();
    boolean waits = !maxWait.isZero();
    CallMeasure.OfAcquire measure =
        new CallMeasure.OfAcquire(node, settings.name(), waits, calledNanos);
    if (node.isClosing()) {
      measure.ended(AcquireOutcome.UNAVAILABLE);
      return CompletableFuture.failedFuture(
          new LeaseUnavailableException(
              "The provider is closed; lease '%s' was not asked for".formatted(settings.name())));
    }
    Completion<Boolean> future = node.completion(() -> node.run(claimant::callerGone), measure);
    long waitNanos = (maxWait.compareTo(WAIT_MAX) < 0 ? maxWait : WAIT_MAX).toNanos();
    AcquireCaller caller = new AcquireCaller(future, waits, calledNanos + waitNanos);
    node.run(() -> claimant.acquire(settings, caller));
    return future;
  }

  @Override
  public CompletionStage<Void> release() {
    Hold hold = claimant.hold();
    Completion<Void> future =
        node.completion(
            () -> {},
            new CallMeasure.OfRelease(node, settings.name(), hold != null, node.nowNanos()));
    Hold ended = hold != null && node.isAlive(hold) && hold.end() ? hold : null;
    node.run(() -> claimant.release(ended, future));
    return future;
  }

  @Override
  public boolean checkAlive() {
    Hold hold = claimant.hold();
    return hold != null && node.isAlive(hold);
  }

  @Override
  public Duration remaining() {
    Hold hold = claimant.hold();
    if (hold == null || !node.isAlive(hold)) {
      return Duration.ZERO;
    }
    return Duration.ofNanos(Math.max(0, hold.remainingNanos(node.nowNanos())));
  }

  @Override
  public OptionalLong fencingToken() {
    Hold hold = claimant.hold();
    return hold != null && node.isAlive(hold)
        ? OptionalLong.of(hold.token())
        : OptionalLong.empty();
  }

  @Override
  public Subscription onLost(Consumer<LeaseLost> handler) {
    if (handler == null) {
      throw new InvalidLeaseArgumentException("handler", "must not be null");
    }
    return claimant.onLost(handler);
  }

  @Override
  public String toString() {
    return "RaftLease[" + settings.name() + ", " + settings.owner() + "]";
  }
}
