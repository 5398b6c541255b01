package io.leasehold.bench.peers;

import io.leasehold.contract.ContractCluster.Capability;
import java.time.Duration;
import java.util.Set;

/** The running members of a peer, for all rules of the contract. */
interface PeerStore extends AutoCloseable {

  /** Returns what can be done to its nodes. */
  Set<Capability> capabilities();

  /** Returns the time that leases outlive their holder, the same for all of a node. */
  Duration ttl();

  /**
   * Starts a node, or returns to one that still runs.
   *
   * @param onLoss runs when the peer's client says that all its node had may be lost
   */
  PeerNode open(String name, Runnable onLoss);

  /** Ends a rule for a node. */
  default void leave(PeerNode node) {
    node.close();
  }

  @Override
  void close();
}
