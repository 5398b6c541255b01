package io.leasehold.contract;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The contract of {@link io.leasehold.Lease}, {@link io.leasehold.LeaseProvider} and {@link
 * io.leasehold.LeaseInspector} as tests. Extend it and supply the subject:
 *
 * <pre>{@code
 * final class MyLeasesTest extends LeaseContract {
 *   @Override
 *   protected ContractCluster newCluster() {
 *     return new MyCluster();
 *   }
 * }
 * }</pre>
 *
 * <p>Each rule stands in the interface of its subject, with its number, which is also its number in
 * {@code docs/CONTRACT.md}. A rule that needs a {@link ContractCluster.Capability} the subject does
 * not have is reported as aborted, with the reason.
 *
 * <p>The number is the beginning of the rule's display name, {@code R5 the same owner on two nodes
 * is two holders}, which IDEs and JUnit's console launcher show. Surefire's reports have the
 * method's name unless they are told to use phrases:
 *
 * <pre>{@code
 * <statelessTestsetReporter
 *     implementation="org.apache.maven.plugin.surefire.extensions.junit5.JUnit5Xml30StatelessReporter">
 *   <usePhrasedTestCaseMethodName>true</usePhrasedTestCaseMethodName>
 * </statelessTestsetReporter>
 * }</pre>
 */
@TestMethodOrder(RuleOrder.class)
public abstract class LeaseContract
    implements AcquireRules,
        ReleaseRules,
        LossRules,
        QueueRules,
        HoldRules,
        FaultRules,
        CloseRules,
        ReclaimRules,
        InspectorRules,
        RevokeRules,
        InputRules {

  private @Nullable ContractCluster cluster;
  private @Nullable Scene scene;

  /** Returns the cluster for one rule, with no fault and no node closed. */
  protected abstract ContractCluster newCluster();

  @BeforeEach
  final void open() {
    ContractCluster opened = newCluster();
    cluster = opened;
    scene = new Scene(opened);
  }

  @AfterEach
  final void close() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  public final Scene scene() {
    if (scene == null) {
      throw new IllegalStateException("no rule is running");
    }
    return scene;
  }
}
