/**
 * ShedLock on leases: scheduled tasks that run on one node at a time.
 *
 * <pre>{@code
 * LockProvider locks =
 *     new LeaseLockProvider(leases, LeaseSettings.of("shedlock", "pod-7", Duration.ofSeconds(10)));
 *
 * new DefaultLockingTaskExecutor(locks)
 *     .executeWithLock(
 *         report,
 *         new LockConfiguration(
 *             ClockProvider.now(), "report", Duration.ofMinutes(30), Duration.ofSeconds(30)));
 * }</pre>
 *
 * <p>With Spring, the provider is the bean that {@code @SchedulerLock} looks for.
 */
@NullMarked
package io.leasehold.shedlock;

import org.jspecify.annotations.NullMarked;
