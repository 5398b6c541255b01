package io.leasehold.shedlock;

import static java.util.Objects.requireNonNullElse;

import io.leasehold.Lease;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/**
 * A lock from its start until it is unlocked, extended, or {@code lockAtMostFor} has passed,
 * whichever comes first. Confined to the task's thread, except that the timer may end it.
 */
final class HeldLock extends AbstractSimpleLock {

  private static final System.Logger LOGGER = System.getLogger(HeldLock.class.getName());

  private final Lease lease;
  private final Ticker ticker;
  private final Timer timer;
  private final long startNanos;

  /** Set by whoever ends it. */
  private final AtomicBoolean ended = new AtomicBoolean();

  private Timer.Cancellable limit = () -> {};

  private HeldLock(
      LockConfiguration configuration, Lease lease, Ticker ticker, Timer timer, long startNanos) {
    super(configuration);
    this.lease = lease;
    this.ticker = ticker;
    this.timer = timer;
    this.startNanos = startNanos;
  }

  /** Makes a lock of a lease that is held. */
  static HeldLock start(
      LockConfiguration configuration, Lease lease, Ticker ticker, Timer timer, long startNanos) {
    HeldLock lock = new HeldLock(configuration, lease, ticker, timer, startNanos);
    lock.limit = timer.schedule(lock.left(configuration.getLockAtMostFor()), lock::reachLimit);
    return lock;
  }

  private void reachLimit() {
    if (ended.compareAndSet(false, true)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "{0} has run for its lockAtMostFor and is not locked any more",
          lockConfiguration.getName());
      releaseInBackground();
    }
  }

  @Override
  protected void doUnlock() {
    if (!ended.compareAndSet(false, true)) {
      return;
    }
    limit.cancel();
    Duration rest = left(lockConfiguration.getLockAtLeastFor());
    if (rest.isZero()) {
      await(lease.release());
    } else {
      Timer.Cancellable unusedForItIsOver = timer.schedule(rest, this::releaseInBackground);
    }
  }

  @Override
  protected Optional<SimpleLock> doExtend(LockConfiguration extended) {
    if (left(lockConfiguration.getLockAtMostFor()).isZero()) {
      reachLimit();
      return Optional.empty();
    }
    if (!ended.compareAndSet(false, true)) {
      return Optional.empty();
    }
    limit.cancel();
    return lease.checkAlive()
        ? Optional.of(start(extended, lease, ticker, timer, ticker.nanos()))
        : Optional.empty();
  }

  private Duration left(Duration sinceStart) {
    Duration left = sinceStart.minusNanos(ticker.nanos() - startNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** A release without an answer is repeated by the lease itself. */
  private void releaseInBackground() {
    CompletionStage<Void> unused = lease.release();
  }

  /** Waits for the store's answer, and puts a failure in ShedLock's terms. */
  static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw new LockException(requireNonNullElse(failed.getCause(), failed));
    }
  }
}
