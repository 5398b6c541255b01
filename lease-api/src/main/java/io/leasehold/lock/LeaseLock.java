package io.leasehold.lock;

import static java.util.Objects.requireNonNull;

import io.leasehold.Lease;
import io.leasehold.LeaseException;
import io.leasehold.LeaseSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Lease} as a {@link Lock}: at most one thread has it, of all threads of all processes,
 * for as long as the lease lasts.
 *
 * <p>Threads of this process first line up for the lock itself, first come, first served; the one
 * in front acquires the lease. So make one lock for a lease and share it: two of them for the same
 * name and owner are views of one hold, and do not exclude each other. For the same reason leave
 * the lease to its lock: acquire or release it in no other way.
 *
 * <p>Like the lease it is owned by no thread: whoever has been told so may unlock it. Therefore it
 * is <b>not reentrant</b>: a thread that locks it twice waits for itself. It may be used on virtual
 * threads; no carrier thread is held while one waits.
 *
 * <p>Locking returns normally only with the lease. When the store cannot be asked, it throws the
 * {@link LeaseException} that the lease gave, with nothing locked: a majority that is gone, or a
 * closed provider, would otherwise keep a thread for ever, and only the caller knows how long to go
 * on trying. A wait that ends by an interrupt, or because its time is over, is taken back in the
 * store, also when the grant is already on its way.
 *
 * <p>What is locked can be lost, by a pause longer than the time to live for example: {@link
 * #checkAlive()} tells before each step, {@link #unlock()} tells at the end, and {@link
 * #fencingToken()} keeps late writes out. Safe for many threads.
 */
public final class LeaseLock implements Lock {

  private static final Duration LONG_WAIT = Duration.ofDays(365);
  private static final long NOT_LOCKED = 0;

  private final Lease lease;

  /** Has a permit while nobody of this process is locking, or has locked. */
  private final Semaphore entrance = new Semaphore(1, true);

  /** The fencing token of the grant that it is locked with. */
  private final AtomicLong token = new AtomicLong(NOT_LOCKED);

  /**
   * @param lease is this lock's alone from now on
   */
  public LeaseLock(Lease lease) {
    this.lease = requireNonNull(lease, "lease");
  }

  /**
   * Waits for the lease, however long. An interrupt does not end the wait, and is kept.
   *
   * @throws LeaseException when the store could not be asked; nothing is locked
   */
  @Override
  public void lock() {
    entrance.acquireUninterruptibly();
    boolean locked = false;
    try {
      while (!locked) {
        locked = noteGrant(join(lease.acquire(LONG_WAIT)));
      }
    } finally {
      leaveUnless(locked);
    }
  }

  /**
   * Waits for the lease until the thread is interrupted.
   *
   * @throws InterruptedException when it was; nothing is locked, nor will be by this call
   * @throws LeaseException when the store could not be asked; nothing is locked
   */
  @Override
  public void lockInterruptibly() throws InterruptedException {
    entrance.acquire();
    boolean locked = false;
    try {
      while (!locked) {
        locked = noteGrant(await(lease.acquire(LONG_WAIT), Long.MAX_VALUE));
      }
    } finally {
      leaveUnless(locked);
    }
  }

  /**
   * Locks if nobody else has it. Where no other thread of this process has, the store is asked, by
   * {@link Lease#acquire()}: that takes a round trip, and with another holder as many attempts as
   * {@link LeaseSettings#acquireRetries()}. It is not interruptible.
   *
   * @return false when another thread has it, or another holder definitely has the lease
   * @throws LeaseException when the store could not be asked; nothing is locked
   */
  @Override
  public boolean tryLock() {
    if (!entrance.tryAcquire()) {
      return false;
    }
    boolean locked = false;
    try {
      locked = noteGrant(join(lease.acquire()));
      return locked;
    } finally {
      leaveUnless(locked);
    }
  }

  /**
   * Waits for the lease, at most for the given time, also when the store does not answer.
   *
   * @param time zero or less is the same as {@link #tryLock()}
   * @return false when the time was over; nothing is locked, nor will be by this call
   * @throws InterruptedException when the thread was interrupted; nothing is locked either
   * @throws LeaseException when the store could not be asked; nothing is locked
   */
  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (time <= 0) {
      return tryLock();
    }
    long startNanos = System.nanoTime();
    if (!entrance.tryAcquire(time, unit)) {
      return false;
    }
    boolean locked = false;
    try {
      long leftNanos = unit.toNanos(time) - (System.nanoTime() - startNanos);
      locked =
          leftNanos > 0 && noteGrant(await(lease.acquire(Duration.ofNanos(leftNanos)), leftNanos));
      return locked;
    } finally {
      leaveUnless(locked);
    }
  }

  /**
   * Unlocks and releases the lease. Whatever it throws, the lock is free for other threads of this
   * process afterwards. It waits for the store's answer, which an interrupt does not shorten.
   *
   * @throws LockLostException when the lease had been lost before: what was done under the lock may
   *     have met another holder's doing
   * @throws io.leasehold.LeaseIndeterminateException when the lease lasted until here, but the
   *     store did not confirm the release; it is repeated in the background, and other processes
   *     may have to wait until the time to live has run out
   * @throws IllegalMonitorStateException when it is not locked
   */
  @Override
  public void unlock() {
    long ended = token.getAndSet(NOT_LOCKED);
    if (ended == NOT_LOCKED) {
      throw notLocked();
    }
    try {
      if (!isAlive(ended)) {
        throw new LockLostException(name(), ended);
      }
      join(lease.release());
    } finally {
      entrance.release();
    }
  }

  /**
   * @throws UnsupportedOperationException always
   */
  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("a lease has no conditions");
  }

  /**
   * Returns whether this is locked and the lease can be proved to be held; see {@link
   * Lease#checkAlive()}. Local, and takes no lock.
   */
  public boolean checkAlive() {
    long current = token.get();
    return current != NOT_LOCKED && isAlive(current);
  }

  /**
   * Returns the fencing token of the grant that this is locked with. It stays the same when the
   * lease is lost, so that a resource that has seen the next holder's refuses it.
   *
   * @throws IllegalMonitorStateException when it is not locked
   */
  public long fencingToken() {
    long current = token.get();
    if (current == NOT_LOCKED) {
      throw notLocked();
    }
    return current;
  }

  /** Takes note of the grant; false when it is none, or has been lost already. */
  private boolean noteGrant(boolean answer) {
    long granted = answer ? lease.fencingToken().orElse(NOT_LOCKED) : NOT_LOCKED;
    token.set(granted);
    return granted != NOT_LOCKED;
  }

  private boolean isAlive(long granted) {
    return lease.fencingToken().orElse(NOT_LOCKED) == granted;
  }

  private void leaveUnless(boolean locked) {
    if (!locked) {
      entrance.release();
    }
  }

  /** Waits for an answer, and takes back what was asked for when it cannot wait any longer. */
  private boolean await(CompletionStage<Boolean> stage, long limitNanos)
      throws InterruptedException {
    CompletableFuture<Boolean> answer = stage.toCompletableFuture();
    try {
      return answer.get(limitNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException failed) {
      throw failure(failed.getCause());
    } catch (TimeoutException late) {
      return isGrantedAllTheSame(answer);
    } catch (InterruptedException interrupted) {
      if (isGrantedAllTheSame(answer)) {
        CompletionStage<Void> unusedRelease = lease.release();
      }
      throw interrupted;
    }
  }

  /** Cancels an acquire; true when the grant was there first. */
  private static boolean isGrantedAllTheSame(CompletableFuture<Boolean> answer) {
    return !answer.cancel(false) && !answer.isCompletedExceptionally() && answer.join();
  }

  private static <T> T join(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failure(failed.getCause());
    }
  }

  private static RuntimeException failure(@Nullable Throwable cause) {
    return cause instanceof LeaseException known ? known : new CompletionException(cause);
  }

  private IllegalMonitorStateException notLocked() {
    return new IllegalMonitorStateException("lease %s is not locked".formatted(name()));
  }

  private String name() {
    return lease.settings().name();
  }
}
