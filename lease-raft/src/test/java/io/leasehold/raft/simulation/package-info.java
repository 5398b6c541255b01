/**
 * A store and its nodes in one thread and in virtual time, for tests of the holder's side: the real
 * rules on several replicas, on a log that elects, loses and repeats as a real one may, with clocks
 * that drift, processes that pause and a network that delays. One seed decides everything, so a run
 * can be repeated to the last step.
 *
 * <p>What is real: {@link io.leasehold.store.core.LeaseMachine}, and everything of {@code
 * io.leasehold.raft}. What is not: Raft itself, of which only the promises are kept ({@link
 * io.leasehold.raft.simulation.SimulatedLog}), the disk, and the wire.
 */
@NullMarked
package io.leasehold.raft.simulation;

import org.jspecify.annotations.NullMarked;
