package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static io.leasehold.contract.Scene.N3;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import io.leasehold.contract.ContractCluster.Capability;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The end of a provider. */
public interface CloseRules {

  Scene scene();

  /** CASES.md, 11: exactly one of released and lost. */
  @Test
  @DisplayName("R64 closing a provider frees all its leases at once, and is not a loss")
  default void closeFreesAllLeases() {
    Scene scene = scene();
    List<String> names = IntStream.range(0, 3).mapToObj(i -> scene.name() + "/" + i).toList();
    List<Lease> leases =
        names.stream()
            .map(name -> scene.cluster().node(N3).lease(scene.settings(N3).withName(name)))
            .toList();
    leases.forEach(scene::hold);
    List<Losses> losses = leases.stream().map(Losses::of).toList();

    scene.cluster().close(N3);

    assertThat(leases).noneMatch(Lease::checkAlive);
    for (String name : names) {
      scene.hold(scene.cluster().node(N1).lease(scene.settings(N1).withName(name)));
    }
    scene.settle();
    losses.forEach(Losses::assertNone);
  }

  /** CASES.md, 77: work is drained before its lease is free, not after. */
  @Test
  @DisplayName("R95 closing a provider stops the work under its leases first, while they are held")
  default void closeStopsWorkFirst() {
    Scene scene = scene();
    Lease lease = scene.held(N3);
    LeaseProvider provider = scene.cluster().node(N3);
    List<Boolean> aliveWhenToldToStop = new CopyOnWriteArrayList<>();
    var unusedWork =
        provider.beforeClose(
            () -> {
              aliveWhenToldToStop.add(lease.checkAlive());
              return CompletableFuture.completedFuture(null);
            });
    Subscription overBefore =
        provider.beforeClose(
            () -> {
              throw new AssertionError("this work is over");
            });
    overBefore.close();

    scene.cluster().close(N3);
    provider.close();

    assertThat(aliveWhenToldToStop).as("told once, and then held").containsExactly(true);
    assertThat(lease.checkAlive()).isFalse();
  }

  /** A worker that is told to end by an interrupt closes with the interrupt still pending. */
  @Test
  @DisplayName("R94 closing on a thread that is interrupted frees all its leases, too")
  default void closeOnAnInterruptedThreadFreesAllLeases() {
    Scene scene = scene();
    Lease lease = scene.held(N3);

    Thread.currentThread().interrupt();
    scene.cluster().close(N3);
    boolean stillInterrupted = Thread.interrupted();

    assertThat(stillInterrupted).isTrue();
    assertThat(lease.checkAlive()).isFalse();
    assertThat(scene.acquired(scene.lease(N1))).as("free at once").isTrue();
  }

  @Test
  @DisplayName("R65 a closed provider gives out nothing, and its handles hold nothing")
  default void closedProviderGivesOutNothing() {
    Scene scene = scene();
    LeaseProvider provider = scene.cluster().node(N3);
    Lease lease = scene.held(N3);
    Losses losses = Losses.of(lease);

    scene.cluster().close(N3);

    assertThat(lease.checkAlive()).isFalse();
    assertThat(lease.fencingToken()).isEmpty();
    assertThat(scene.awaitFailure("an acquire", lease.acquire()))
        .isInstanceOf(LeaseUnavailableException.class);
    assertThat(scene.awaitFailure("a waiting acquire", lease.acquire(scene.ttl())))
        .isInstanceOf(LeaseUnavailableException.class);
    scene.release(lease);
    assertThatThrownBy(() -> provider.lease(scene.settings(N3)))
        .isInstanceOf(IllegalStateException.class);
    losses.assertNone();
  }

  @Test
  @DisplayName("R66 closing again does nothing")
  default void closeIsIdempotent() {
    Scene scene = scene();
    LeaseProvider provider = scene.cluster().node(N3);
    scene.held(N3);

    scene.cluster().close(N3);
    provider.close();
    provider.close();

    assertThat(scene.acquired(scene.lease(N1))).isTrue();
  }

  /** CASES.md, 61, 23. */
  @Test
  @DisplayName("R67 closing ends the acquires under way, and leaves no place in a queue behind")
  default void closeEndsAcquiresUnderWay() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    Lease waiter = scene.lease(N3);
    Losses losses = Losses.of(waiter);
    CompletableFuture<Boolean> answer = scene.queued(waiter, 1);

    scene.cluster().close(N3);

    assertThat(scene.awaitFailure("the acquire", answer))
        .isInstanceOf(LeaseUnavailableException.class);
    scene.until("the queue is empty", () -> scene.waiters() == 0);
    scene.release(holder);
    assertThat(scene.find(N1)).isEmpty();
    losses.assertNone();
  }

  /** CASES.md, 65: bounded, and the handlers learn that the hold was not given back. */
  @Test
  @DisplayName(
      "R68 closing a node that is cut off ends its holds as lost; they run out in the store")
  default void closeWhileCutOffLosesTheHolds() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease lease = scene.held(N3);
    long token = scene.token(lease);
    Losses losses = Losses.of(lease);
    Lease contender = scene.lease(N2);

    scene.cluster().disconnect(N3);
    scene.cluster().close(N3);
    boolean alive = lease.checkAlive();
    boolean granted = scene.await("the expiry", contender.acquire(scene.ttls(20)));

    assertThat(alive).isFalse();
    assertThat(granted).isTrue();
    losses.assertOnce(lease, token, LeaseLost.Reason.CLOSED, LeaseLost.Reason.UNREACHABLE);
  }

  /** CASES.md, 79: an orderly restart costs no ttl. */
  @Test
  @DisplayName("R69 a node that was closed starts again, and the same owner need not wait")
  default void restartedOwnerNeedNotWait() {
    Scene scene = scene();
    long before = scene.token(scene.held(N3, "a"));

    scene.restart(N3);
    Lease again = scene.lease(N3, "a");

    assertThat(scene.acquired(again)).isTrue();
    assertThat(scene.token(again)).isGreaterThan(before);
  }
}
