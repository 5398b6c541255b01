package io.leasehold.spring;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.leasehold.LeaseSettings;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * A lock of a {@link LeaseLockRegistry}: a view of a lease, owned by the thread that took it, and
 * reentrant. Locks of one registry with the same key are the same. Safe for many threads.
 *
 * <p>Whoever waits for it waits in the lease's queue. Methods that take it throw {@link
 * org.springframework.dao.CannotAcquireLockException}
 *
 * <ul>
 *   <li>when the store did not answer within its own limits, however long the caller would have
 *       waited: the cause is the {@link io.leasehold.LeaseException}, and what may have been
 *       granted is given back;
 *   <li>when this thread has it already and it was lost: another one may have it now, so it has to
 *       be unlocked first.
 * </ul>
 *
 * <p>An interrupt gives back what the store may have granted by then.
 */
public final class FencedLock implements DistributedLock {

  private static final long FOR_EVER = Long.MAX_VALUE;

  private final LeaseLockRegistry registry;
  private final LeaseSettings settings;

  FencedLock(LeaseLockRegistry registry, LeaseSettings settings) {
    this.registry = registry;
    this.settings = settings;
  }

  /** Waits for the lock; an interrupt does not end the wait, and is kept. */
  @Override
  public void lock() {
    lock(settings.ttl());
  }

  /** As {@link #lock()}, with a ttl of its own instead of the registry's. */
  @Override
  public void lock(Duration ttl) {
    boolean unusedTaken = Blocking.uninterruptibly(() -> take(FOR_EVER, ttl));
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    boolean unusedTaken = take(FOR_EVER, settings.ttl());
  }

  /** Asks the store once, without waiting in its queue; an interrupt is kept. */
  @Override
  public boolean tryLock() {
    return Blocking.uninterruptibly(() -> take(0, settings.ttl()));
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    return take(unit.toNanos(time), settings.ttl());
  }

  /** As {@link #tryLock(long, TimeUnit)}, with a ttl of its own instead of the registry's. */
  @Override
  public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
    return take(NANOSECONDS.convert(waitTime), ttl);
  }

  private boolean take(long waitNanos, Duration ttl) throws InterruptedException {
    LeaseSettings asked = settings.ttl().equals(ttl) ? settings : settings.withTtl(ttl);
    LocalLock local = registry.enter(settings.name());
    boolean taken = false;
    try {
      taken = local.take(registry.leases(), asked, waitNanos);
      return taken;
    } finally {
      if (!taken) {
        registry.leave(settings.name());
      }
    }
  }

  /**
   * Gives the lock back, as often as it was taken.
   *
   * @throws IllegalMonitorStateException if this thread does not hold it
   * @throws java.util.ConcurrentModificationException if it was lost before: another process may
   *     have held it meanwhile. It is unlocked all the same
   * @throws org.springframework.dao.DataAccessResourceFailureException if the store did not answer:
   *     it is unlocked here, and free for others once the store has heard of it, at the latest
   *     after its ttl
   */
  @Override
  public void unlock() {
    LocalLock local = registry.heldByThisThread(settings.name());
    try {
      local.unlock();
    } finally {
      registry.leave(settings.name());
    }
  }

  /**
   * Returns whether a thread of this process holds the lock, by this registry, and can prove it:
   * false from the moment it is lost, until it is taken anew. Local and cheap; for any thread.
   */
  public boolean checkAlive() {
    return fencingToken().isPresent();
  }

  /**
   * Returns the fencing token of the hold, greater than those of all holds before it, for a
   * resource to compare; empty unless {@link #checkAlive()}. For any thread.
   */
  public OptionalLong fencingToken() {
    return registry
        .find(settings.name())
        .map(LocalLock::fencingToken)
        .orElseGet(OptionalLong::empty);
  }

  /** Not supported, as with the other distributed locks. */
  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("A distributed lock has no conditions");
  }

  @Override
  public String toString() {
    return "FencedLock[" + settings.name() + ", " + settings.owner() + "]";
  }
}
