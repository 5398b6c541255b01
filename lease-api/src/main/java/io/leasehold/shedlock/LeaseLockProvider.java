package io.leasehold.shedlock;

import static java.util.Objects.requireNonNull;

import io.leasehold.Lease;
import io.leasehold.LeaseLimits;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.time.ExecutorTimer;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/**
 * ShedLock's locks as leases: each is a lease with the lock's name, renewed while the task runs.
 *
 * <ul>
 *   <li>When the task ends, the lock is released, but not before {@code lockAtLeastFor}; until then
 *       it is held in the background.
 *   <li>When the task goes on for longer than {@code lockAtMostFor}, the lock is released then, and
 *       others may take it while the task still runs.
 *   <li>When the process dies, the lock is free after the time to live, however long {@code
 *       lockAtMostFor} is. The time to live is at least {@code lockAtLeastFor} (of the first
 *       configuration, where it is extended; at most 24 h), so that this is kept, too.
 *   <li>When the lease provider is closed, the lock is free at once.
 * </ul>
 *
 * <p>Both durations count from the call of {@link #lock}, on a monotonic clock; no wall clock is
 * read. A task that must not do harm after the lock is lost can ask {@link
 * net.javacrumbs.shedlock.core.LockExtender} for more time, and is told when it has none.
 *
 * <p>Each lock has an owner of its own, {@code OWNER/shedlock-N}: two tasks of one process exclude
 * each other like those of two. Safe for many threads.
 */
public final class LeaseLockProvider implements ExtensibleLockProvider, AutoCloseable {

  /** Numbers the locks of this process, whichever provider they are of. */
  private static final AtomicLong LOCKS = new AtomicLong();

  private final LeaseProvider leases;
  private final LeaseSettings template;
  private final Ticker ticker;
  private final Timer timer;
  private final Runnable closeTimer;

  /**
   * A provider with a daemon thread of its own, {@code shedlock-timer}, for what ends later.
   *
   * @param leases stays open when this is closed
   * @param template owner and time to live of the leases; their names are those of the locks, they
   *     are asked for once, and never reclaimed
   */
  public LeaseLockProvider(LeaseProvider leases, LeaseSettings template) {
    this(leases, template, System::nanoTime, new ExecutorTimer("shedlock-timer"));
  }

  private LeaseLockProvider(
      LeaseProvider leases, LeaseSettings template, Ticker ticker, ExecutorTimer timer) {
    this(leases, template, ticker, timer, timer::close);
  }

  LeaseLockProvider(
      LeaseProvider leases,
      LeaseSettings template,
      Ticker ticker,
      Timer timer,
      Runnable closeTimer) {
    this.leases = requireNonNull(leases, "leases");
    this.template = requireNonNull(template, "template").withAcquireRetries(1).withReclaim(false);
    this.ticker = ticker;
    this.timer = timer;
    this.closeTimer = closeTimer;
  }

  /**
   * Tries to get a lock: asks the store once, and waits for its answer, which an interrupt does not
   * shorten.
   *
   * @return empty when it is held, by this process or another
   * @throws LockException when the store could not be asked; the lock is not held, and the cause,
   *     an {@link io.leasehold.LeaseException}, says why
   */
  @Override
  public Optional<SimpleLock> lock(LockConfiguration configuration) {
    long startNanos = ticker.nanos();
    Lease lease = leases.lease(settingsFor(configuration));
    if (!HeldLock.await(lease.acquire())) {
      return Optional.empty();
    }
    return Optional.of(HeldLock.start(configuration, lease, ticker, timer, startNanos));
  }

  private LeaseSettings settingsFor(LockConfiguration configuration) {
    LeaseSettings settings =
        template
            .withName(configuration.getName())
            .withOwner(template.owner() + "/shedlock-" + LOCKS.incrementAndGet());
    Duration atLeast = configuration.getLockAtLeastFor();
    if (atLeast.compareTo(settings.ttl()) <= 0) {
      return settings;
    }
    return settings.withTtl(
        atLeast.compareTo(LeaseLimits.TTL_MAX) < 0 ? atLeast : LeaseLimits.TTL_MAX);
  }

  /**
   * Ends its thread. What is still locked stays so until it is unlocked, or the lease provider is
   * closed, which is to be closed after this one.
   */
  @Override
  public void close() {
    closeTimer.run();
  }
}
