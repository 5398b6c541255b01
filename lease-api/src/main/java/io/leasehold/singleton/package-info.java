/**
 * A task that runs on one node of a cluster at a time, on whatever backend of {@link
 * io.leasehold.LeaseProvider}.
 *
 * <pre>{@code
 * Singleton poller =
 *     Singleton.builder(leases, LeaseSettings.of("poller", "n1", Duration.ofSeconds(10)))
 *         .start(
 *             context -> {
 *               while (context.checkAlive()) { // local: no network, no lock
 *                 poll(context.fencingToken());
 *               }
 *             });
 * }</pre>
 */
@NullMarked
package io.leasehold.singleton;

import org.jspecify.annotations.NullMarked;
