package io.leasehold.memory;

import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.LeaseContract;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract on leases in memory, in real time. The rules wait more than they work, so they wait
 * side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
final class InMemoryLeasesInRealTimeTest extends LeaseContract {

  @Override
  protected ContractCluster newCluster() {
    return MemoryContractCluster.inRealTime();
  }
}
