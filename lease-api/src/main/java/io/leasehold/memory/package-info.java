/**
 * Leases in one process' memory: the reference implementation of the contract, for tests and for
 * programs of a single process.
 *
 * <p>How to read it: {@link io.leasehold.memory.InMemoryCluster} is the way in. {@code StoreRules}
 * decides who has a lease, as a replicated store would. {@code Node} is one process' side, with
 * what it could not send yet; {@code Renewal} its renewals and local deadlines; {@code Hold} what
 * one owner has there, and {@code Attempt} how it is acquired. All of them are confined to the one
 * lock of {@code SharedStore}; users' code runs outside it.
 */
@NullMarked
package io.leasehold.memory;

import org.jspecify.annotations.NullMarked;
