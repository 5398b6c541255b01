/**
 * A worked example: one coordinator says which of several regions has a shard, on whatever backend
 * of {@link io.leasehold.LeaseProvider}.
 *
 * <ol>
 *   <li>{@code ShardNode} competes for the coordinator's lease by a {@link
 *       io.leasehold.singleton.Singleton}. Until it is held, {@code ShardCoordinator} buffers.
 *   <li>A new coordinator asks every region, with its fencing token, what it has. Each {@code
 *       ShardRegion} answers, and refuses from then on whoever comes with a smaller token: what the
 *       coordinator before has decided is either in the answer or never happens.
 *   <li>Then it serves. It calls {@code checkAlive()} before each allocation, and stops at the
 *       first false, or when it is cancelled: what is pending is rejected, and has to ask its
 *       successor.
 *   <li>A region lives under a lease of its own. A shard stays with a region that does not answer
 *       until that lease is free, for only then has the region certainly stopped; so a new
 *       coordinator does not serve either while it can neither ask a region nor rule it out.
 *   <li>An allocation is for one life of a region, named by its lease's token: one that is
 *       delivered late does not reach the next life.
 * </ol>
 *
 * <p>{@code ShardMain} runs it as a process, and writes down what can be judged afterwards.
 */
@NullMarked
package io.leasehold.harness.shards;

import org.jspecify.annotations.NullMarked;
