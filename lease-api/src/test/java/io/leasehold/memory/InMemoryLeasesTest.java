package io.leasehold.memory;

import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.LeaseContract;

/** The contract on leases in memory, in virtual time. */
final class InMemoryLeasesTest extends LeaseContract {

  @Override
  protected ContractCluster newCluster() {
    return MemoryContractCluster.onVirtualTime();
  }
}
