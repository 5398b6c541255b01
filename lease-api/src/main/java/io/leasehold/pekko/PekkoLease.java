package io.leasehold.pekko;

import io.leasehold.Lease;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.time.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.coordination.lease.LeaseException;
import org.apache.pekko.coordination.lease.LeaseSettings;
import org.apache.pekko.coordination.lease.LeaseTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A lease of Pekko's on one of the application's. Pekko makes it by reflection, sometimes twice,
 * and keeps one for each name, owner and configuration path; nothing happens before the first
 * acquire. Safe for many threads. Stages complete on the provider's callback executor, or, when
 * they time out, on the JDK's timer thread.
 */
final class PekkoLease extends org.apache.pekko.coordination.lease.javadsl.Lease {

  private final LeaseSettings pekko;
  private final PekkoSettings settings;
  private final SystemLeases system;
  private final Lease lease;
  private final LossCallbacks losses;
  private volatile CompletionStage<Boolean> lastRelease = CompletableFuture.completedStage(true);

  /** The parameters are those that Pekko's LeaseProvider looks for. */
  PekkoLease(LeaseSettings pekko, ExtendedActorSystem system) {
    this.pekko = pekko;
    this.settings = PekkoSettings.of(pekko, system.settings().config());
    this.system = SystemLeases.of(system);
    this.lease = this.system.lease(settings.lease());
    this.losses = new LossCallbacks(lease, system.log());
  }

  @Override
  public LeaseSettings getSettings() {
    return pekko;
  }

  /**
   * As {@link #acquire(Consumer)}; the callback of an earlier acquire stays with the hold that it
   * was for.
   */
  @Override
  public CompletionStage<Boolean> acquire() {
    return acquireHolding(told -> lease.checkAlive());
  }

  /**
   * Acquires the lease, or confirms that it is held.
   *
   * @param leaseLostCallback is called once, with the reason, if the hold of this acquire is lost:
   *     after the stage has completed, and not after a release. It takes the place of an earlier
   *     one for the same hold
   * @return true: held. False: another owner has it, or it was lost before this stage could
   *     complete. Fails with a {@link LeaseTimeoutException} when it is not known, in which case
   *     what may be granted is given back; with another {@link LeaseException} when it certainly
   *     had no effect
   */
  @Override
  public CompletionStage<Boolean> acquire(Consumer<Optional<Throwable>> leaseLostCallback) {
    losses.open();
    return acquireHolding(told -> losses.put(leaseLostCallback, told));
  }

  /**
   * @param holds asked after a grant whether there still is a hold; what it is given completes
   *     after the returned stage
   */
  private CompletionStage<Boolean> acquireHolding(Predicate<CompletionStage<?>> holds) {
    system.use(this);
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    CompletableFuture<Void> told = new CompletableFuture<>();
    // Whoever completes the acquire's own future first decides: a timeout withdraws it.
    CompletableFuture<Boolean> acquired =
        inTime(lease.acquire(settings.acquireWait()).toCompletableFuture());
    CompletableFuture<Boolean> unusedAnswered =
        acquired.whenComplete(
            (granted, failure) -> {
              if (failure != null) {
                answer.completeExceptionally(inPekkosWords("acquire", failure));
              } else {
                answer.complete(granted && holds.test(told));
              }
              told.complete(null);
            });
    return answer;
  }

  /**
   * Releases the lease.
   *
   * @return true: this owner has it no more, also when it had it no more before. Fails with a
   *     {@link LeaseTimeoutException} when it is not known whether the store has freed it, in which
   *     case the release is repeated in the background. Never false
   */
  @Override
  public CompletionStage<Boolean> release() {
    losses.clear();
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    lastRelease = answer;
    CompletableFuture<Boolean> unusedAnswered =
        inTime(lease.release().thenApply(done -> true).toCompletableFuture())
            .whenComplete(
                (released, failure) -> {
                  if (failure != null) {
                    answer.completeExceptionally(inPekkosWords("release", failure));
                  } else {
                    answer.complete(released);
                  }
                });
    return answer;
  }

  /** Whether this owner certainly has the lease: local, without blocking. */
  @Override
  public boolean checkLease() {
    return lease.checkAlive();
  }

  /** The release that was asked for last; done when there was none. */
  CompletionStage<Boolean> lastRelease() {
    return lastRelease;
  }

  /** The actor system has ended. */
  void end() {
    losses.close();
    CompletionStage<Void> unusedGoesOn = lease.release();
  }

  private CompletableFuture<Boolean> inTime(CompletableFuture<Boolean> operation) {
    return operation.orTimeout(settings.operationTimeout().toNanos(), TimeUnit.NANOSECONDS);
  }

  private Throwable inPekkosWords(String operation, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof LeaseUnavailableException) {
      return new LeaseException(sentence(operation, cause.getMessage())).initCause(cause);
    }
    if (cause instanceof LeaseIndeterminateException) {
      return new LeaseTimeoutException(sentence(operation, cause.getMessage())).initCause(cause);
    }
    if (cause instanceof TimeoutException) {
      Duration limit = settings.operationTimeout();
      return new LeaseTimeoutException(
              sentence(
                  operation,
                  "no answer within the lease-operation-timeout of " + DurationText.of(limit)))
          .initCause(cause);
    }
    return cause;
  }

  private String sentence(String operation, @Nullable String what) {
    return "%s of lease '%s' by '%s': %s"
        .formatted(operation, pekko.leaseName(), pekko.ownerName(), what);
  }
}
