/**
 * Asynchronous locks of Vert.x on leases.
 *
 * <pre>{@code
 * LeaseLocks locks =
 *     new LeaseLocks(vertx, leases, LeaseSettings.of("vertx", "pod-7", Duration.ofSeconds(10)));
 *
 * locks
 *     .getLockWithTimeout("report", 5_000)
 *     .compose(
 *         lock -> report.write(lock.fencingToken()).onComplete(written -> lock.release()));
 * }</pre>
 */
@NullMarked
package io.leasehold.vertx;

import org.jspecify.annotations.NullMarked;
