package io.leasehold.raft;

import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.LeaseContract;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract on the real thing: three nodes, one of which each rule may break. */
final class RaftLeasesIT extends LeaseContract {

  @TempDir static Path folder;

  private static @Nullable EmbeddedCluster cluster;

  @Override
  protected ContractCluster newCluster() {
    EmbeddedCluster present = cluster;
    if (present == null) {
      present = new EmbeddedCluster(folder);
      cluster = present;
    }
    return present;
  }

  @AfterAll
  static void shutDown() {
    EmbeddedCluster present = cluster;
    if (present != null) {
      present.shutDown();
      cluster = null;
    }
  }
}
