package io.leasehold.spring;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.leasehold.Lease;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * What the threads of this process share of one lock: a mutex among them, whose holder has the
 * lease or has lost it. Safe for many threads.
 */
final class LocalLock {

  private final String name;
  private final ReentrantLock mutex = new ReentrantLock();

  /** Written by the mutex' holder. */
  private volatile @Nullable Hold hold;

  /**
   * How many threads wait, and how often the lock was taken. Only the registry's map touches it.
   */
  int users;

  LocalLock(String name) {
    this.name = name;
  }

  boolean isHeldByThisThread() {
    return mutex.isHeldByCurrentThread();
  }

  OptionalLong fencingToken() {
    Hold current = hold;
    return current != null && current.isAlive()
        ? OptionalLong.of(current.token())
        : OptionalLong.empty();
  }

  /**
   * Takes the lock, once more if this thread has it.
   *
   * @param waitNanos how long to wait for it, in the mutex' queue and the lease's together
   */
  boolean take(LeaseProvider leases, LeaseSettings settings, long waitNanos)
      throws InterruptedException {
    long sinceNanos = System.nanoTime();
    if (!mutex.tryLock(waitNanos, NANOSECONDS)) {
      return false;
    }
    boolean taken = false;
    try {
      if (mutex.getHoldCount() > 1) {
        taken = takeAgain();
      } else {
        long leftNanos = waitNanos - (System.nanoTime() - sinceNanos);
        taken = acquire(leases.lease(settings), Duration.ofNanos(Math.max(0, leftNanos)));
      }
      return taken;
    } finally {
      if (!taken) {
        mutex.unlock();
      }
    }
  }

  private boolean takeAgain() {
    if (fencingToken().isEmpty()) {
      throw new CannotAcquireLockException(
          "Lock '"
              + name
              + "' was lost while this thread held it; unlock it before taking it anew");
    }
    return true;
  }

  private boolean acquire(Lease lease, Duration maxWait) throws InterruptedException {
    CompletableFuture<Boolean> asked = lease.acquire(maxWait).toCompletableFuture();
    try {
      if (!asked.get()) {
        return false;
      }
    } catch (InterruptedException e) {
      undo(asked, lease);
      throw e;
    } catch (ExecutionException e) {
      throw new CannotAcquireLockException(failed("be taken", e), e.getCause());
    }
    long token =
        lease
            .fencingToken()
            .orElseThrow(
                () -> new CannotAcquireLockException("Lock '" + name + "' was lost at once"));
    hold = new Hold(lease, token);
    return true;
  }

  /** Nobody is told of the grant that may come, or has just come. */
  private static void undo(CompletableFuture<Boolean> asked, Lease lease) {
    if (!asked.cancel(true)) {
      var unusedReleased = lease.release(); // in the background, for an interrupt wants no wait
    }
  }

  /** Asks the store whether the lease is still held. */
  void confirm() {
    Hold held = current();
    if (held.isAlive() && askAgain(held.lease()) && !held.isAlive()) {
      // It was lost, and granted anew to a thread that did not ask for that.
      var unusedReleased = held.lease().release();
    }
    if (!held.isAlive()) {
      throw new IllegalStateException("Lock '" + name + "' was lost");
    }
  }

  private boolean askAgain(Lease lease) {
    CompletableFuture<Boolean> asked = lease.acquire().toCompletableFuture();
    return Blocking.uninterruptibly(
        () -> {
          try {
            return asked.get();
          } catch (ExecutionException e) {
            throw new DataAccessResourceFailureException(failed("be confirmed", e), e.getCause());
          }
        });
  }

  /** Gives the lock back, as often as it was taken; to be called by its holder. */
  void unlock() {
    try {
      if (mutex.getHoldCount() == 1) {
        release(current());
      }
    } finally {
      mutex.unlock();
    }
  }

  private void release(Hold held) {
    hold = null;
    if (!held.isAlive()) {
      throw new ConcurrentModificationException(
          "Lock '" + name + "' was lost before it was unlocked; another holder may have had it");
    }
    CompletableFuture<Void> released = held.lease().release().toCompletableFuture();
    boolean unusedDone =
        Blocking.uninterruptibly(
            () -> {
              try {
                return released.get() == null;
              } catch (ExecutionException e) {
                throw new DataAccessResourceFailureException(
                    failed("be released", e), e.getCause());
              }
            });
  }

  private Hold current() {
    Hold current = hold;
    if (current == null) {
      throw new IllegalStateException("the mutex' holder has a hold");
    }
    return current;
  }

  private String failed(String what, ExecutionException failure) {
    Throwable cause = failure.getCause();
    return "Lock '%s' could not %s: %s"
        .formatted(name, what, cause == null ? failure : cause.getMessage());
  }

  /** A lease as it was granted once. */
  private record Hold(Lease lease, long token) {

    boolean isAlive() {
      return lease.fencingToken().equals(OptionalLong.of(token));
    }
  }
}
