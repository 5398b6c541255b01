/**
 * The shell around the core: replicates batches by Apache Ratis, applies them to the table, and
 * tells. Read {@link io.leasehold.store.ratis.LeaseStateMachine} first, then {@link
 * io.leasehold.store.ratis.LeaderClock}, {@link io.leasehold.store.ratis.ExpiryProposer} and {@link
 * io.leasehold.store.ratis.Proposer}; {@link io.leasehold.store.ratis.Replica} wires them.
 */
@NullMarked
package io.leasehold.store.ratis;

import org.jspecify.annotations.NullMarked;
