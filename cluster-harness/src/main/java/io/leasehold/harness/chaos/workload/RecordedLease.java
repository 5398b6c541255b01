package io.leasehold.harness.chaos.workload;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease of which every call is recorded with its outcome, before the caller learns of that, and
 * every loss that a handler is told of. Each handler that is registered records for itself, so one
 * is enough. That a stage is cancelled is not passed on. Safe for many threads.
 */
final class RecordedLease implements Lease {

  private final Handle handle;
  private final Lease lease;
  private final Recorder recorder;
  private final AtomicInteger releases = new AtomicInteger();

  RecordedLease(Handle handle, Lease lease, Recorder recorder) {
    this.handle = handle;
    this.lease = lease;
    this.recorder = recorder;
  }

  Handle handle() {
    return handle;
  }

  @Override
  public LeaseSettings settings() {
    return lease.settings();
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return acquire(Duration.ZERO);
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    int releasesBefore = releases.get();
    long call = recorder.nextCall();
    long ttlNanos = settings().ttl().toNanos();
    recorder.write(Invoke.acquire(recorder.now(), call, handle, ttlNanos, maxWait.toNanos()));
    CompletionStage<Boolean> stage;
    try {
      stage = lease.acquire(maxWait);
    } catch (RuntimeException e) {
      recorder.write(Return.failed(recorder.now(), call, true, e.toString()));
      throw e;
    }
    long handedAt = recorder.now();
    return stage.whenComplete(
        (granted, failure) -> {
          boolean withdrawn = !maxWait.isZero() && releases.get() != releasesBefore;
          recorder.write(answer(call, granted, failure, withdrawn).handedAt(handedAt));
        });
  }

  private Return answer(
      long call, @Nullable Boolean granted, @Nullable Throwable failure, boolean withdrawn) {
    if (failure != null) {
      return recorder.failed(call, failure);
    } else if (granted != null && granted) {
      return Return.granted(recorder.now(), call, lease.fencingToken().orElse(0));
    } else if (withdrawn) {
      // No refusal: it has left the queue before its time, and a grant may have been undone.
      return Return.failed(recorder.now(), call, false, "withdrawn by a release");
    }
    return Return.answered(recorder.now(), call, false);
  }

  @Override
  public CompletionStage<Void> release() {
    releases.incrementAndGet();
    long call = recorder.nextCall();
    recorder.write(Invoke.release(recorder.now(), call, handle));
    CompletionStage<Void> stage = lease.release();
    long handedAt = recorder.now();
    return stage.whenComplete(
        (done, failure) -> {
          Return end =
              failure == null
                  ? Return.answered(recorder.now(), call, true)
                  : recorder.failed(call, failure);
          recorder.write(end.handedAt(handedAt));
        });
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
    return lease.onLost(
        loss -> {
          recorder.write(Lost.of(handle, recorder.now(), loss.fencingToken(), loss.reason()));
          handler.accept(loss);
        });
  }
}
