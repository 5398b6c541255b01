package io.leasehold.etcd;

import static java.util.Objects.requireNonNull;

import io.etcd.jetcd.Client;
import io.leasehold.LeaseProvider;
import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.ContractCluster.Capability;
import io.leasehold.contract.LeaseContract;
import io.leasehold.holder.LinkedClusters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract on a real etcd, in real time. The rules wait more than they work, so they wait side
 * by side.
 */
@Execution(ExecutionMode.CONCURRENT)
@EnabledIf(value = EtcdProcess.IS_ON_THE_PATH, disabledReason = EtcdProcess.IS_MISSING)
final class EtcdLeasesIT extends LeaseContract {

  private static final Duration TTL = Duration.ofSeconds(2);

  @TempDir static Path folder;

  private static @Nullable EtcdProcess etcd;
  private static @Nullable LinkedClusters clusters;

  @BeforeAll
  static void start() {
    EtcdProcess started = EtcdProcess.start(folder);
    etcd = started;
    clusters =
        LinkedClusters.open(
            started.port(),
            TTL,
            Set.of(Capability.STORE_WIDE_TOKENS),
            url -> new EtcdClient(Client.builder().endpoints(url).build()));
  }

  private record EtcdClient(Client client) implements LinkedClusters.Client {

    @Override
    public LeaseProvider newLeases() {
      return EtcdLeases.on(client);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  @Override
  protected ContractCluster newCluster() {
    return requireNonNull(clusters).take();
  }

  @AfterAll
  static void shutDown() {
    if (clusters != null) {
      clusters.close();
    }
    if (etcd != null) {
      etcd.close();
    }
  }
}
