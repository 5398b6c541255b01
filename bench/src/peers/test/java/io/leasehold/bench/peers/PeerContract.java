package io.leasehold.bench.peers;

import io.leasehold.bench.cluster.BenchLog;
import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.LeaseContract;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.opentest4j.TestAbortedException;

/**
 * The contract on a peer. A rule that it does not keep is run, has to fail, and is reported as
 * aborted, with the reason; so nothing stands in the list without cause.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PeerContract extends LeaseContract {

  @RegisterExtension private final KnownBreaches breaches;

  private final Function<WorkFolder, PeerStore> starting;
  private @Nullable WorkFolder folder;
  private @Nullable PeerStore store;

  /**
   * @param starting starts the peer's members
   * @param breaches the rules that it does not keep, by number, with the reasons
   */
  PeerContract(Function<WorkFolder, PeerStore> starting, Map<String, Breach> breaches) {
    this.starting = starting;
    this.breaches = new KnownBreaches(breaches);
  }

  @Override
  protected ContractCluster newCluster() {
    if (store == null) {
      BenchLog.quiet();
      if (folder == null) {
        folder = WorkFolder.create();
      }
      try {
        store = starting.apply(folder);
      } catch (UncheckedIOException notInstalled) {
        throw new TestAbortedException("the peer cannot be started here", notInstalled);
      }
    }
    return new PeerCluster(store);
  }

  @AfterAll
  void stop() {
    if (store != null) {
      store.close();
    }
    if (folder != null) {
      folder.close();
    }
  }
}
