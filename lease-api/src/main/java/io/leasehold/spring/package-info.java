/**
 * Leases as the locks of Spring Integration 7, on any {@link io.leasehold.LeaseProvider}. The only
 * package here that uses Spring; without spring-integration-core on the class path leave it alone.
 *
 * <pre>{@code
 * LockRegistry<?> locks =
 *     new LeaseLockRegistry(leases, LeaseSettings.of("locks/", "pod-7", Duration.ofSeconds(10)));
 *
 * locks.executeLocked("invoices", () -> book());
 *
 * new LockRegistryLeaderInitiator(locks, candidate).start();
 * }</pre>
 *
 * <p>A lock that is held is renewed until it is unlocked or its process dies, so nobody has to
 * renew it, and the heartbeat of a leader is how soon it learns of a loss. It may be lost all the
 * same, when the store cannot be reached or somebody revokes it: ask {@link
 * io.leasehold.spring.FencedLock#checkAlive()} before what must not be done twice, and send {@link
 * io.leasehold.spring.FencedLock#fencingToken()} along with it.
 */
@NullMarked
package io.leasehold.spring;

import org.jspecify.annotations.NullMarked;
