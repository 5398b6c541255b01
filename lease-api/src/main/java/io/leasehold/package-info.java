/**
 * Leases: named, exclusive claims with a time to live. A {@link io.leasehold.LeaseProvider} hands
 * out {@link io.leasehold.Lease} handles to one process and is that process' one session with the
 * store.
 *
 * <pre>{@code
 * Lease lease = leases.lease(LeaseSettings.of("printer", "pod-7", Duration.ofSeconds(10)));
 * Subscription losses = lease.onLost(lost -> worker.stop());
 * if (lease.acquire(Duration.ofMinutes(1)).toCompletableFuture().join()) {
 *   long token = lease.fencingToken().orElseThrow();
 *   while (lease.checkAlive() && worker.hasNext()) {
 *     worker.doNext(token);
 *   }
 *   lease.release();
 * }
 * }</pre>
 *
 * <p>The rules that every backend keeps stand in {@code docs/CONTRACT.md} of this module, and as
 * tests in {@code io.leasehold.contract.LeaseContract} of its test jar. Methods neither take nor
 * return null unless they say so.
 */
@NullMarked
package io.leasehold;

import org.jspecify.annotations.NullMarked;
