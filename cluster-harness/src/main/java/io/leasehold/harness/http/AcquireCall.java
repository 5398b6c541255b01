package io.leasehold.harness.http;

import io.leasehold.LeaseInspector;
import io.leasehold.LeaseSettings;
import io.leasehold.harness.wire.AcquireAnswer;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One acquire over HTTP. A caller that hangs up before it was answered has acquired nothing: its
 * attempt is cancelled, and a grant that came all the same is given back, unless the hold was told
 * to another caller or another one is still waiting for it. Confined to the loop.
 */
final class AcquireCall {

  private static final long PENDING_INPUT_MILLIS = 2;

  private final Exchange exchange;
  private final Handles handles;
  private final LeaseInspector inspector;
  private final HttpMeters meters;

  AcquireCall(Exchange exchange, Handles handles, LeaseInspector inspector, HttpMeters meters) {
    this.exchange = exchange;
    this.handles = handles;
    this.inspector = inspector;
    this.meters = meters;
  }

  void start(LeaseSettings settings, Duration wait) {
    Handle handle = handles.enter(settings);
    CompletableFuture<Boolean> attempt;
    try {
      attempt = handle.lease.acquire(wait).toCompletableFuture();
    } catch (RuntimeException e) {
      handles.leave(handle);
      throw e;
    }
    exchange.whenGone(
        () -> {
          if (handle.toldToken == 0) {
            attempt.cancel(true);
          }
        });
    exchange.then(
        attempt.thenCompose(AcquireCall::afterPendingInput),
        (granted, failure) -> ended(handle, settings, granted, failure));
  }

  /**
   * Lets the loop read what has come in before a grant is told: that the caller has hung up may be
   * waiting there, and a grant told to nobody would be renewed for ever.
   */
  private static CompletableFuture<Boolean> afterPendingInput(boolean granted) {
    CompletableFuture<Boolean> told = new CompletableFuture<>();
    return granted
        ? told.completeOnTimeout(true, PENDING_INPUT_MILLIS, TimeUnit.MILLISECONDS)
        : CompletableFuture.completedFuture(false);
  }

  private void ended(
      Handle handle,
      LeaseSettings settings,
      @Nullable Boolean granted,
      @Nullable Throwable failure) {
    if (failure != null || granted == null) {
      handles.leave(handle);
      meters.acquireEnded(exchange.isGone() ? "cancelled" : "failed");
      exchange.refuse(failure != null ? failure : new IllegalStateException("no answer"));
    } else if (granted) {
      granted(handle);
      handles.leave(handle);
    } else {
      handles.leave(handle);
      refused(settings);
    }
  }

  private void granted(Handle handle) {
    handle.grants++;
    OptionalLong token = handle.lease.fencingToken();
    if (exchange.isGone()) {
      meters.acquireEnded("cancelled");
      boolean isWanted =
          handle.callers > 1 || token.isEmpty() || handle.toldToken == token.getAsLong();
      if (!isWanted) {
        handle.callers++;
        exchange.then(handle.lease.release(), (done, failure) -> handles.leave(handle));
      }
    } else if (token.isEmpty()) {
      meters.acquireEnded("failed");
      exchange.refuse(
          Refusal.indeterminate(
              "the lease was granted, and released or lost again before this answer"));
    } else {
      meters.acquireEnded("granted");
      handle.toldToken = token.getAsLong();
      exchange.answer(new AcquireAnswer(true, token.getAsLong(), null));
    }
  }

  /** The "no" is certain already; who has the lease is looked up for the caller's convenience. */
  private void refused(LeaseSettings settings) {
    meters.acquireEnded("refused");
    if (exchange.isGone()) {
      return;
    }
    exchange.then(
        inspector.find(settings.name()),
        (found, failure) ->
            exchange.answer(
                new AcquireAnswer(
                    false,
                    null,
                    found == null ? null : found.map(LeaseRoutes::holderOf).orElse(null))));
  }
}
