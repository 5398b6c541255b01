package io.leasehold.holder;

import io.leasehold.contract.AcquireRules;
import io.leasehold.contract.CloseRules;
import io.leasehold.contract.FaultRules;
import io.leasehold.contract.HoldRules;
import io.leasehold.contract.LossRules;
import io.leasehold.contract.QueueRules;
import io.leasehold.contract.ReleaseRules;
import io.leasehold.contract.Scene;
import org.junit.jupiter.api.AfterEach;

/**
 * The contract on a store that answers when the test lets it, in virtual time: the rules of the
 * holder's side, and not those of inspectors, revocation and reclaim.
 */
final class StoreLeasesTest
    implements AcquireRules,
        ReleaseRules,
        LossRules,
        QueueRules,
        HoldRules,
        FaultRules,
        CloseRules {

  private final FakeCluster cluster = new FakeCluster();
  private final Scene scene = new Scene(cluster);

  @Override
  public Scene scene() {
    return scene;
  }

  @AfterEach
  void close() {
    cluster.close();
  }
}
