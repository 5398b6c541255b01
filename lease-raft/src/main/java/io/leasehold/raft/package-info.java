/**
 * Leases held against a replicated store. {@link io.leasehold.raft.RaftLeases} and its
 * configuration are for users; the words of the rest:
 *
 * <dl>
 *   <dt>node ({@code LeaseNode})
 *   <dd>the holder's side of one process: what follows belongs to it
 *   <dt>strand ({@code Strand})
 *   <dd>runs the node's tasks one at a time, so that nearly nothing here needs a lock
 *   <dt>claimant ({@code Claimant}, found by {@code Claimants})
 *   <dd>one owner of one lease; a handle ({@code RaftLease}) is a user's view of it
 *   <dt>attempt ({@code Attempt})
 *   <dd>a claimant's one acquire under way, with its callers ({@code AcquireCallers}) and its place
 *       in the queue ({@code QueuePlace})
 *   <dt>hold ({@code Hold}, all of them in {@code Holds})
 *   <dd>a grant as the node believes in it, with a local deadline; its end is told by the {@code
 *       LossNotifier}
 *   <dt>session ({@code LiveSession})
 *   <dd>what the store knows the node by, and the moment from which all deadlines count; {@code
 *       SessionNews} brings its claimants what is told of it
 *   <dt>client ({@code StoreClient})
 *   <dd>gathers commands into batches, which also renew the session
 *   <dt>courier ({@code Courier})
 *   <dd>hands one batch over at a time, until it is answered
 *   <dt>reconciliation ({@code Reconciliation})
 *   <dd>brings what is held into line with each reply of the store
 *   <dt>ledger ({@code GrantLedger})
 *   <dd>the tokens that the store holds for the session, as its replies tell
 *   <dt>pace ({@code RenewalPace})
 *   <dd>how often to renew, by the shortest interval in use
 * </dl>
 */
@NullMarked
package io.leasehold.raft;

import org.jspecify.annotations.NullMarked;
