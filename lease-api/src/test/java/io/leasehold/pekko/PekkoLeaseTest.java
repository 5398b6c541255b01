package io.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaseInspector;
import io.leasehold.LeaseStatus;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.memory.InMemoryLeases;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.pekko.ConfigurationException;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.coordination.lease.LeaseException;
import org.apache.pekko.coordination.lease.LeaseTimeoutException;
import org.apache.pekko.coordination.lease.javadsl.Lease;
import org.apache.pekko.coordination.lease.javadsl.LeaseProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What Pekko promises of a lease. It publishes no test kit, so these are the cases of its own
 * tests, written anew: {@code LeaseProviderSpec} of pekko-coordination 1.7.0, and {@code
 * LeaseSpec}, {@code LeaseContentionSpec} and {@code LeaseActorSpec} of Pekko Management's
 * lease-kubernetes 1.2.
 */
final class PekkoLeaseTest {

  private static final Duration TTL = Duration.ofMinutes(2);
  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration NANO = Duration.ofNanos(1);
  private static final String A = "shop@10.0.0.1:17355";
  private static final String B = "shop@10.0.0.2:17355";

  private final VirtualTime time = new VirtualTime();
  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
  private final List<PekkoNode> nodes = new ArrayList<>();

  @AfterEach
  void end() {
    nodes.forEach(PekkoNode::close);
  }

  private PekkoNode node(String name) {
    return node(name, "");
  }

  private PekkoNode node(String name, String config) {
    PekkoNode node = PekkoNode.start(cluster.node(name), config);
    nodes.add(node);
    return node;
  }

  private static CompletableFuture<Boolean> acquire(Lease lease) {
    return lease.acquire().toCompletableFuture();
  }

  private static CompletableFuture<Boolean> release(Lease lease) {
    return lease.release().toCompletableFuture();
  }

  private boolean refused(Lease lease) {
    CompletableFuture<Boolean> answer = acquire(lease);
    time.advance(WAIT);
    return !answer.join();
  }

  private Optional<LeaseStatus> stored(String name) {
    LeaseInspector inspector = cluster.node("observer").inspector();
    return inspector.find(name).toCompletableFuture().join();
  }

  private static Throwable failure(CompletableFuture<?> future) {
    try {
      return new AssertionError("it gave " + future.orTimeout(10, TimeUnit.SECONDS).join());
    } catch (CompletionException failed) {
      return failed.getCause() == null ? failed : failed.getCause();
    }
  }

  // Loading

  @Test
  void isFoundByItsPath() {
    PekkoNode node = node("n1");

    Lease lease = node.lease("printer", A);

    assertThat(lease).isInstanceOf(PekkoLease.class);
    assertThat(lease.getSettings().leaseName()).isEqualTo("printer");
    assertThat(lease.getSettings().ownerName()).isEqualTo(A);
    assertThat(lease.getSettings().timeoutSettings().getHeartbeatTimeout()).isEqualTo(TTL);
    assertThat(lease.checkLease()).isFalse();
    assertThat(stored("printer")).as("nothing is asked for").isEmpty();
  }

  @Test
  void isOneForEachNameAndOwner() {
    PekkoNode node = node("n1");
    Lease lease = node.lease("printer", A);

    assertThat(node.lease("printer", A)).isSameAs(lease);
    assertThat(node.lease("scanner", A)).isNotSameAs(lease);
    assertThat(node.lease("printer", B)).isNotSameAs(lease);
  }

  @Test
  void systemWithoutTheSetupIsToldWhatItLacks() {
    ActorSystem system = ActorSystem.create("bare", PekkoNode.quiet(""));
    try {
      assertThatThrownBy(() -> LeaseProvider.get(system).getLease("printer", "leasehold.pekko", A))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("LeaseholdSetup.of(leases)");
    } finally {
      system.terminate();
    }
  }

  @Test
  void nameThatIsTooLongIsRefusedByPekkosProvider() {
    PekkoNode node = node("n1");

    assertThatThrownBy(() -> node.lease("n".repeat(513), A))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("512 bytes");
  }

  // Acquiring

  @Test
  void freeLeaseIsAcquired() {
    Lease lease = node("n1").lease("printer", A);

    assertThat(acquire(lease)).isCompletedWithValue(true);

    assertThat(lease.checkLease()).isTrue();
    assertThat(stored("printer")).map(LeaseStatus::owner).hasValue(A);
  }

  @Test
  void sameOwnerAcquiresAgain() {
    Lease lease = node("n1").lease("printer", A);
    assertThat(acquire(lease)).isCompletedWithValue(true);

    assertThat(acquire(lease)).isCompletedWithValue(true);

    assertThat(lease.checkLease()).isTrue();
  }

  @Test
  void otherOwnerIsRefused() {
    PekkoNode node = node("n1");
    assertThat(acquire(node.lease("printer", A))).isCompletedWithValue(true);
    Lease other = node.lease("printer", B);

    CompletableFuture<Boolean> answer = acquire(other);
    time.advance(WAIT.minus(NANO));
    assertThat(answer).as("it waits in line").isNotDone();
    time.advance(NANO);

    assertThat(answer).isCompletedWithValue(false);
    assertThat(other.checkLease()).isFalse();
    assertThat(node.lease("printer", A).checkLease()).isTrue();
  }

  @Test
  void exactlyOneOfManyIsGranted() {
    PekkoNode node = node("n1");

    List<CompletableFuture<Boolean>> answers =
        IntStream.range(0, 30).mapToObj(i -> acquire(node.lease("printer", "client" + i))).toList();
    time.advance(WAIT);

    assertThat(answers).extracting(CompletableFuture::join).containsOnlyOnce(true);
  }

  @Test
  void isKeptForAsLongAsItsNodeLives() {
    Lease lease = node("n1").lease("printer", A);
    assertThat(acquire(lease)).isCompletedWithValue(true);

    time.advance(TTL.multipliedBy(10));

    assertThat(lease.checkLease()).isTrue();
  }

  @Test
  void isFreeOnlyAfterTheTtlOfACrashedOwner() {
    assertThat(acquire(node("n1").lease("printer", A))).isCompletedWithValue(true);
    Lease other = node("n2").lease("printer", B);

    cluster.crash("n1");
    time.advance(TTL.minus(WAIT).minus(NANO));
    assertThat(refused(other)).isTrue();
    time.advance(NANO);

    assertThat(acquire(other)).isCompletedWithValue(true);
  }

  // Releasing

  @Test
  void releasedLeaseIsFree() {
    PekkoNode node = node("n1");
    Lease lease = node.lease("printer", A);
    assertThat(acquire(lease)).isCompletedWithValue(true);

    assertThat(release(lease)).isCompletedWithValue(true);

    assertThat(lease.checkLease()).isFalse();
    assertThat(acquire(node.lease("printer", B))).isCompletedWithValue(true);
    assertThat(release(node.lease("printer", B))).isCompletedWithValue(true);
    assertThat(acquire(lease)).isCompletedWithValue(true);
  }

  @Test
  void releaseByAnotherOwnerFreesNothing() {
    PekkoNode node = node("n1");
    Lease lease = node.lease("printer", A);
    assertThat(acquire(lease)).isCompletedWithValue(true);

    assertThat(release(node.lease("printer", B)))
        .as("it has the lease no more")
        .isCompletedWithValue(true);

    assertThat(lease.checkLease()).isTrue();
  }

  @Test
  void releaseHandsTheLeaseOverToAnAcquireThatWaits() {
    Lease lease = node("n1").lease("printer", A);
    assertThat(acquire(lease)).isCompletedWithValue(true);
    Lease next = node("n2").lease("printer", B);
    CompletableFuture<Boolean> answer = acquire(next);
    assertThat(answer).isNotDone();

    assertThat(release(lease)).isCompletedWithValue(true);

    assertThat(answer).as("though no time has passed").isCompletedWithValue(true);
    assertThat(next.checkLease()).isTrue();
  }

  @Test
  void releaseEndsAnAcquireThatWaits() {
    PekkoNode node = node("n1");
    assertThat(acquire(node.lease("printer", A))).isCompletedWithValue(true);
    CompletableFuture<Boolean> answer = acquire(node.lease("printer", B));

    assertThat(release(node.lease("printer", B))).isCompletedWithValue(true);

    assertThat(answer).isCompletedWithValue(false);
  }

  // Losing

  private static final class Losses extends ArrayList<Throwable> {

    void add(Optional<Throwable> reason) {
      add(reason.orElseThrow());
    }

    CompletableFuture<Boolean> acquire(Lease lease) {
      return lease.acquire(this::add).toCompletableFuture();
    }
  }

  private void revoke(String name) {
    long token = stored(name).orElseThrow().fencingToken();
    assertThat(cluster.node("observer").inspector().revoke(name, token, "it is printing nonsense"))
        .isCompletedWithValue(true);
  }

  @Test
  void ownerThatIsCutOffIsToldOnceAndCanAcquireAgain() {
    Lease lease = node("n1").lease("printer", A);
    Losses losses = new Losses();
    assertThat(losses.acquire(lease)).isCompletedWithValue(true);

    cluster.disconnect("n1");
    time.advance(TTL.multipliedBy(2));

    assertThat(lease.checkLease()).isFalse();
    assertThat(losses)
        .singleElement()
        .isInstanceOf(LeaseException.class)
        .asString()
        .contains("UNREACHABLE", "printer", A);
    cluster.reconnect("n1");
    time.advance(TTL);
    assertThat(losses.acquire(lease)).isCompletedWithValue(true);
    assertThat(losses).hasSize(1);
  }

  @Test
  void revocationIsToldAtOnce() {
    Lease lease = node("n1").lease("printer", A);
    Losses losses = new Losses();
    assertThat(losses.acquire(lease)).isCompletedWithValue(true);

    revoke("printer");

    assertThat(lease.checkLease()).isFalse();
    assertThat(losses).singleElement().asString().contains("REVOKED", "it is printing nonsense");
  }

  @Test
  void nobodyIsToldAfterARelease() {
    Lease lease = node("n1").lease("printer", A);
    Losses losses = new Losses();
    assertThat(losses.acquire(lease)).isCompletedWithValue(true);
    assertThat(release(lease)).isCompletedWithValue(true);
    assertThat(acquire(lease)).isCompletedWithValue(true);

    revoke("printer");

    assertThat(lease.checkLease()).isFalse();
    assertThat(losses).isEmpty();
  }

  @Test
  void nobodyIsToldOfALossOfWhatWasNeverHeld() {
    PekkoNode node = node("n1");
    assertThat(acquire(node.lease("printer", A))).isCompletedWithValue(true);
    Losses losses = new Losses();
    CompletableFuture<Boolean> answer = losses.acquire(node.lease("printer", B));
    time.advance(WAIT);
    assertThat(answer).isCompletedWithValue(false);

    revoke("printer");

    assertThat(losses).isEmpty();
  }

  @Test
  void callbackOfALaterAcquireTakesThePlaceOfTheFormer() {
    Lease lease = node("n1").lease("printer", A);
    Losses former = new Losses();
    Losses later = new Losses();
    assertThat(former.acquire(lease)).isCompletedWithValue(true);
    assertThat(later.acquire(lease)).isCompletedWithValue(true);
    assertThat(acquire(lease)).as("without a callback, which changes nothing").isCompleted();

    revoke("printer");

    assertThat(former).isEmpty();
    assertThat(later).hasSize(1);
  }

  @Test
  void callbackBelongsToTheHoldOfItsAcquire() {
    Lease lease = node("n1").lease("printer", A);
    Losses first = new Losses();
    Losses second = new Losses();
    assertThat(first.acquire(lease)).isCompletedWithValue(true);
    revoke("printer");
    assertThat(second.acquire(lease)).isCompletedWithValue(true);
    revoke("printer");

    assertThat(first).hasSize(1);
    assertThat(second).hasSize(1);
  }

  @Test
  void callbackComesAfterTheAnswerOfItsAcquire() {
    Lease former = node("n1").lease("printer", A);
    assertThat(acquire(former)).isCompletedWithValue(true);
    Lease lease = node("n2").lease("printer", B);
    List<String> order = new ArrayList<>();
    CompletionStage<Void> unusedAnswered =
        lease
            .acquire(reason -> order.add("lost"))
            .thenAccept(
                held -> {
                  order.add("acquired: " + held);
                  revoke("printer");
                  order.add("revoked meanwhile: " + !lease.checkLease());
                });

    assertThat(release(former)).isCompletedWithValue(true);

    assertThat(order).containsExactly("acquired: true", "revoked meanwhile: true", "lost");
  }

  @Test
  void grantThatIsGoneBeforeItCanBeToldIsNone() {
    Lease former = node("n1").lease("printer", A);
    assertThat(acquire(former)).isCompletedWithValue(true);
    Lease lease = node("n2").lease("printer", B);
    io.leasehold.Lease sameHold =
        cluster.node("n2").lease(io.leasehold.LeaseSettings.of("printer", B, TTL));
    CompletionStage<Void> unusedFirst = sameHold.acquire(WAIT).thenRun(sameHold::release);
    Losses losses = new Losses();
    CompletableFuture<Boolean> withCallback = losses.acquire(lease);
    CompletableFuture<Boolean> without = acquire(lease);

    assertThat(release(former)).isCompletedWithValue(true);

    assertThat(withCallback).isCompletedWithValue(false);
    assertThat(without).isCompletedWithValue(false);
    assertThat(losses).isEmpty();
  }

  @Test
  void callbackThatThrowsHurtsNobody() {
    Lease lease = node("n1").lease("printer", A);
    assertThat(
            lease.acquire(
                reason -> {
                  throw new IllegalStateException("the printer is on fire");
                }))
        .isCompletedWithValue(true);

    revoke("printer");

    assertThat(acquire(lease)).isCompletedWithValue(true);
  }

  // Restarting

  @Test
  void nodeThatIsStartedAgainHasItsLeaseAtOnce() {
    assertThat(acquire(node("n1").lease("printer", A))).isCompletedWithValue(true);
    cluster.crash("n1");

    Lease again = node("n1").lease("printer", A);

    assertThat(acquire(again)).as("though no time has passed").isCompletedWithValue(true);
  }

  @Test
  void olderProcessIsToldOfTheTakeover() {
    Lease old = node("n1").lease("printer", A);
    Losses losses = new Losses();
    assertThat(losses.acquire(old)).isCompletedWithValue(true);

    Lease again = node("n2").lease("printer", A);
    assertThat(acquire(again)).isCompletedWithValue(true);

    assertThat(old.checkLease()).isFalse();
    assertThat(losses).singleElement().asString().contains("TAKEN_OVER");
    assertThat(refused(old)).as("nor does it take it back").isTrue();
  }

  @Test
  void withoutReclaimANodeThatIsStartedAgainWaits() {
    assertThat(acquire(node("n1").lease("printer", A))).isCompletedWithValue(true);
    cluster.crash("n1");
    Lease again = node("n1", "leasehold.pekko.reclaim = off").lease("printer", A);

    assertThat(refused(again)).isTrue();
    time.advance(TTL);

    assertThat(acquire(again)).isCompletedWithValue(true);
  }

  // Failing

  private static final String IMPATIENT =
      """
      leasehold.pekko { lease-operation-timeout = 100ms, acquire-wait = 50ms }
      """;

  @Test
  void acquireWithoutAnAnswerTimesOutAndIsGivenBack() {
    Lease lease = node("n1", IMPATIENT).lease("printer", A);
    cluster.disconnect("n1");
    Losses losses = new Losses();

    assertThat(failure(losses.acquire(lease)))
        .isInstanceOf(LeaseTimeoutException.class)
        .hasMessageContainingAll("acquire of lease 'printer' by '" + A + "'", "100 ms");

    cluster.reconnect("n1");
    assertThat(lease.checkLease()).isFalse();
    assertThat(stored("printer")).isEmpty();
    assertThat(losses).isEmpty();
    assertThat(acquire(lease)).isCompletedWithValue(true);
  }

  @Test
  void releaseWithoutAnAnswerTimesOutAndGoesOn() {
    Lease lease = node("n1", IMPATIENT).lease("printer", A);
    assertThat(acquire(lease)).isCompletedWithValue(true);
    cluster.disconnect("n1");

    assertThat(failure(release(lease)))
        .isInstanceOf(LeaseTimeoutException.class)
        .hasMessageContainingAll("release of lease 'printer'", "100 ms");

    assertThat(lease.checkLease()).isFalse();
    assertThat(stored("printer")).isPresent();
    cluster.reconnect("n1");
    assertThat(stored("printer")).isEmpty();
  }

  @Test
  void whatTheStoreDoesNotAnswerIsATimeout() {
    Lease lease = node("n1").lease("printer", A);
    cluster.disconnect("n1");
    CompletableFuture<Boolean> answer = acquire(lease);

    time.advance(TTL);

    assertThat(failure(answer))
        .isInstanceOf(LeaseTimeoutException.class)
        .hasCauseInstanceOf(io.leasehold.LeaseIndeterminateException.class);
  }

  @Test
  void whatCertainlyHadNoEffectIsNoTimeout() {
    InMemoryLeases leases = cluster.node("n1");
    Lease lease = node("n1").lease("printer", A);
    leases.close();

    assertThat(failure(acquire(lease)))
        .isExactlyInstanceOf(LeaseException.class)
        .hasCauseInstanceOf(io.leasehold.LeaseUnavailableException.class);
    assertThat(release(lease)).isCompletedWithValue(true);
  }
}
