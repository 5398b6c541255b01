package io.leasehold.kubernetes;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.leasehold.LeaseProvider;
import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.LeaseContract;
import io.leasehold.holder.LinkedClusters;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract on a mock of Kubernetes' API server, in real time. The rules wait more than they
 * work, so they wait side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
final class KubernetesLeasesIT extends LeaseContract {

  private static final Duration TTL = Duration.ofSeconds(2);

  private static @Nullable MockKubernetes kubernetes;
  private static @Nullable LinkedClusters clusters;

  @BeforeAll
  static void start() {
    MockKubernetes started = MockKubernetes.start();
    kubernetes = started;
    clusters =
        LinkedClusters.open(
            started.port(), TTL, Set.of(), url -> new MockedClient(MockKubernetes.client(url)));
  }

  private record MockedClient(KubernetesClient client) implements LinkedClusters.Client {

    @Override
    public LeaseProvider newLeases() {
      return KubernetesLeases.on(client, "default");
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
    if (kubernetes != null) {
      kubernetes.close();
    }
  }
}
