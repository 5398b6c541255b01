package io.leasehold.raft;

import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.LeaseContract;
import io.leasehold.raft.simulation.SimulatedCluster;

/** The contract kept by the holder's side on a simulated store, in virtual time. */
final class SimulatedLeasesTest extends LeaseContract {

  @Override
  protected ContractCluster newCluster() {
    return new SimulatedCluster();
  }
}
