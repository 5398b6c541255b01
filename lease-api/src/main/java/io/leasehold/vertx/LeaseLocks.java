package io.leasehold.vertx;

import static java.util.Objects.requireNonNull;

import io.leasehold.Lease;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Cluster-wide locks as {@link io.vertx.core.shareddata.SharedData} has them, each of which is a
 * lease with the lock's name: it needs no cluster manager, can be lost, and has a fencing token.
 *
 * <p>Each lock has an owner of its own, {@code OWNER/vertx-N}: two calls in one process exclude
 * each other like those of two, and are served first come, first served. Futures complete on the
 * caller's context, nothing blocks. Safe for many threads.
 */
public final class LeaseLocks {

  private static final long DEFAULT_TIMEOUT_MILLIS = 10_000;

  /** Numbers the locks of this process, whichever object they are of. */
  private static final AtomicLong LOCKS = new AtomicLong();

  private final Vertx vertx;
  private final LeaseProvider leases;
  private final LeaseSettings template;

  /**
   * @param template owner and time to live of the leases; their names are those of the locks, and
   *     they are never reclaimed
   */
  public LeaseLocks(Vertx vertx, LeaseProvider leases, LeaseSettings template) {
    this.vertx = requireNonNull(vertx, "vertx");
    this.leases = requireNonNull(leases, "leases");
    this.template = requireNonNull(template, "template").withAcquireRetries(1).withReclaim(false);
  }

  /** As {@link #getLockWithTimeout} with ten seconds. */
  public Future<LeasedLock> getLock(String name) {
    return getLockWithTimeout(name, DEFAULT_TIMEOUT_MILLIS);
  }

  /**
   * Waits in the lease's queue for a lock.
   *
   * @param name the lock, and the lease
   * @param timeoutMillis the longest wait; zero or less for none
   * @return the lock; fails when it could not be had in time, and with an {@link
   *     io.leasehold.LeaseException} when the store could not be asked
   * @throws IllegalArgumentException when no lease can have this name
   */
  public Future<LeasedLock> getLockWithTimeout(String name, long timeoutMillis) {
    Context context = vertx.getOrCreateContext();
    Lease lease =
        leases.lease(
            template
                .withName(name)
                .withOwner(template.owner() + "/vertx-" + LOCKS.incrementAndGet()));
    return Future.fromCompletionStage(
            lease.acquire(Duration.ofMillis(Math.max(0, timeoutMillis))), context)
        .compose(granted -> lock(lease, granted));
  }

  private static Future<LeasedLock> lock(Lease lease, boolean granted) {
    OptionalLong token = lease.fencingToken();
    return granted && token.isPresent()
        ? Future.succeededFuture(new LeasedLock(lease, token.getAsLong()))
        : Future.failedFuture("Timed out waiting to get lock " + lease.settings().name());
  }
}
