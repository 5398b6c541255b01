package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static io.leasehold.contract.Scene.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.contract.ContractCluster.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Who gets a lease, and with which token. */
public interface AcquireRules {

  Scene scene();

  @Test
  @DisplayName("R1 a free lease is granted")
  default void freeLeaseIsGranted() {
    Scene scene = scene();
    Lease lease = scene.lease(N1, "a");
    assertThat(lease.checkAlive()).isFalse();
    assertThat(lease.fencingToken()).isEmpty();
    assertThat(lease.remaining()).isZero();

    boolean granted = scene.acquired(lease);

    assertThat(granted).isTrue();
    assertThat(lease.checkAlive()).isTrue();
    assertThat(lease.fencingToken().orElseThrow()).isPositive();
    assertThat(lease.remaining()).isPositive().isLessThan(scene.ttl());
    assertThat(lease.settings()).isEqualTo(scene.settings("a"));
  }

  /** If both are granted, look at what the store does between reading and writing. */
  @Test
  @DisplayName("R2 of concurrent acquires on different nodes exactly one is granted")
  default void oneOfConcurrentAcquiresIsGranted() {
    Scene scene = scene();
    List<Lease> leases = List.of(scene.lease(N1), scene.lease(N2), scene.lease(N3));

    List<CompletionStage<Boolean>> answers = leases.stream().map(Lease::acquire).toList();
    long granted =
        answers.stream().filter(answer -> scene.await("each contender's answer", answer)).count();

    assertThat(granted).isEqualTo(1);
    assertThat(leases.stream().filter(Lease::checkAlive)).hasSize(1);
  }

  /** CASES.md, 122: a failed acquire leaves no trace. */
  @Test
  @DisplayName("R3 a lease that another node holds is refused, and the attempt leaves no trace")
  default void heldLeaseIsRefused() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    long token = scene.token(holder);
    Lease contender = scene.lease(N2);

    boolean granted = scene.acquired(contender);

    assertThat(granted).isFalse();
    assertThat(contender.checkAlive()).isFalse();
    assertThat(contender.fencingToken()).isEmpty();
    assertThat(contender.remaining()).isZero();
    assertThat(holder.checkAlive()).isTrue();
    assertThat(holder.fencingToken()).hasValue(token);
    assertThat(scene.find(N3).orElseThrow().waiters()).isZero();
  }

  /** CASES.md, 101. */
  @Test
  @DisplayName("R4 different owners on one node exclude each other")
  default void ownersOnOneNodeExcludeEachOther() {
    Scene scene = scene();
    Lease a = scene.held(N1, "a");
    Lease b = scene.lease(N1, "b");

    assertThat(scene.acquired(b)).isFalse();
    assertThat(a.checkAlive()).isTrue();
    assertThat(b.checkAlive()).isFalse();

    scene.release(a);

    assertThat(scene.acquired(b)).isTrue();
    assertThat(a.checkAlive()).isFalse();
  }

  /** CASES.md, 97: ownership is by session, never by name alone. */
  @Test
  @DisplayName("R5 the same owner on two nodes is two holders")
  default void sameOwnerOnTwoNodesExcludesItself() {
    Scene scene = scene();
    Lease first = scene.held(N1, "same");
    Lease second = scene.lease(N2, "same");

    assertThat(scene.acquired(second)).isFalse();
    assertThat(first.checkAlive()).isTrue();
    assertThat(second.checkAlive()).isFalse();
  }

  @Test
  @DisplayName("R6 every grant has a greater token than all before it, whatever the lease or node")
  default void tokensGrowInTheWholeStore() {
    Scene scene = scene();
    scene.require(Capability.STORE_WIDE_TOKENS);
    List<Long> tokens = new ArrayList<>();

    for (int round = 0; round < 3; round++) {
      for (String node : List.of(N1, N2, N3)) {
        LeaseSettings settings = scene.settings(node).withName(scene.name() + "/" + round + node);
        tokens.add(scene.hold(scene.cluster().node(node).lease(settings)));
      }
    }

    assertThat(tokens).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("R7 acquiring again after a release gives a greater token")
  default void tokenGrowsWithEachHold() {
    Scene scene = scene();
    Lease lease = scene.lease(N1);

    long first = scene.hold(lease);
    scene.release(lease);
    long second = scene.hold(lease);

    assertThat(second).isGreaterThan(first);
  }

  @Test
  @DisplayName("R8 acquiring while held confirms the hold: true, and the same token")
  default void acquireWhileHeldConfirms() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    long token = scene.token(lease);
    Losses losses = Losses.of(lease);

    assertThat(scene.acquired(lease)).isTrue();
    assertThat(scene.await("the waiting form", lease.acquire(scene.ttl()))).isTrue();

    assertThat(lease.checkAlive()).isTrue();
    assertThat(lease.fencingToken()).hasValue(token);
    assertThat(scene.acquired(scene.lease(N2))).isFalse();
    losses.assertNone();
  }

  @Test
  @DisplayName("R9 a refused acquire is tried as often as configured, with the delay between")
  default void refusedAcquireIsRetried() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    Duration delay = scene.ttls(0.2);
    LeaseSettings patient = scene.settings(N2).withAcquireRetries(3).withAcquireRetryDelay(delay);
    Lease contender = scene.cluster().node(N2).lease(patient);

    long start = scene.cluster().time().nanos();
    assertThat(scene.acquired(contender)).isFalse();
    Duration refusedAfter = scene.since(start);
    CompletableFuture<Boolean> second = contender.acquire().toCompletableFuture();
    scene.advance(delay.dividedBy(2));
    scene.release(holder);

    assertThat(refusedAfter).isGreaterThanOrEqualTo(delay.multipliedBy(2));
    assertThat(scene.await("the second attempt", second)).isTrue();
  }

  /** CASES.md, 101. */
  @Test
  @DisplayName("R10 concurrent acquires of one hold share one attempt")
  default void concurrentAcquiresShareOneAttempt() {
    Scene scene = scene();
    Lease lease = scene.lease(N1, "a");
    Lease sameHold = scene.lease(N1, "a");
    Lease after = scene.lease(N1, "b");

    List<CompletionStage<Boolean>> answers =
        List.of(lease.acquire(), lease.acquire(), sameHold.acquire());
    answers.forEach(answer -> assertThat(scene.await("a shared answer", answer)).isTrue());

    assertThat(sameHold.fencingToken()).isEqualTo(lease.fencingToken());
    scene.release(lease);
    assertThat(scene.acquired(after)).as("one release frees it").isTrue();
  }

  /** CASES.md, 101. */
  @Test
  @DisplayName("R11 two handles of one provider with the same name and owner are one hold")
  default void twoHandlesAreOneHold() {
    Scene scene = scene();
    Lease first = scene.lease(N1, "a");
    Lease second = scene.lease(N1, "a");

    long token = scene.hold(first);

    assertThat(second.checkAlive()).isTrue();
    assertThat(second.fencingToken()).hasValue(token);
    scene.release(second);
    assertThat(first.checkAlive()).isFalse();
    assertThat(first.fencingToken()).isEmpty();
    assertThat(scene.acquired(scene.lease(N2))).isTrue();
  }

  /** CASES.md, 100. */
  @Test
  @DisplayName("R12 a hold is not tied to the thread that acquired it")
  default void holdIsNotTiedToAThread() {
    Scene scene = scene();
    Lease lease = scene.lease(N1);

    CompletionStage<Boolean> acquired = CompletableFuture.supplyAsync(lease::acquire).join();
    assertThat(scene.await("the acquire of another thread", acquired)).isTrue();

    assertThat(lease.checkAlive()).isTrue();
    CompletionStage<Void> released = CompletableFuture.supplyAsync(lease::release).join();
    scene.await("the release of a third thread", released);
    assertThat(scene.acquired(scene.lease(N2))).isTrue();
  }
}
