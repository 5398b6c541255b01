package io.leasehold.memory;

import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.LeaseContract;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The kit on a backend that can do the least: what it cannot be asked is aborted, nothing fails.
 */
final class LeasesWithoutInspectorTest extends LeaseContract {

  @Override
  protected ContractCluster newCluster() {
    return new Blind(MemoryContractCluster.onVirtualTime());
  }

  private record Blind(MemoryContractCluster cluster) implements ContractCluster {

    @Override
    public Set<Capability> capabilities() {
      return EnumSet.noneOf(Capability.class);
    }

    @Override
    public LeaseProvider node(String name) {
      return new BlindLeases(cluster.node(name));
    }

    @Override
    public void advance(Duration duration) {
      cluster.advance(duration);
    }

    @Override
    public Ticker time() {
      return cluster.time();
    }

    @Override
    public Duration ttl() {
      return cluster.ttl();
    }

    @Override
    public void close() {
      cluster.close();
    }
  }

  private record BlindLeases(LeaseProvider leases) implements LeaseProvider {

    @Override
    public Lease lease(LeaseSettings settings) {
      return leases.lease(settings);
    }

    @Override
    public LeaseInspector inspector() {
      throw new UnsupportedOperationException("these leases cannot be looked into");
    }

    @Override
    public Subscription beforeClose(Supplier<? extends CompletionStage<?>> stop) {
      return leases.beforeClose(stop);
    }

    @Override
    public void close() {
      leases.close();
    }
  }
}
