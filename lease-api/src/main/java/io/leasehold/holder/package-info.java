/**
 * The holder's side of a lease, for backends: none of it is for users. What every backend has is
 * the handle ({@code HoldHandle}) of a {@code SharedHold}, the table of them, and the threads that
 * users' code runs on.
 *
 * <p>The rest is the holder's side for a store that answers later and keeps one record for each
 * lease, such as etcd or Kubernetes: {@code StoreLeases} on a {@code ClaimStore}. How to read it:
 * {@code Node} is one process' side; {@code Hold} what one owner has there; {@code Acquisition} how
 * it is acquired, {@code Tenure} how it is kept and when it ends, {@code Release} how it is given
 * up. A {@code Claim} is one acquisition's dealings with the store; one that nobody believes in is
 * given back by a {@code GiveBack}. All of them are confined to the node's one lock; requests to
 * the store and users' code run outside it.
 */
@NullMarked
package io.leasehold.holder;

import org.jspecify.annotations.NullMarked;
