package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.Subscription;
import io.leasehold.contract.ContractCluster.Capability;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What the handlers of {@link Lease#onLost} are told, and what they may do. Losses are caused by
 * revocation here, since every subject can be asked for that.
 */
public interface LossRules {

  Scene scene();

  @Test
  @DisplayName("R21 each handler is told once of a loss, and the lease is not alive by then")
  default void eachHandlerIsToldOnce() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    long token = scene.token(lease);
    Losses first = Losses.of(lease);
    Losses second = Losses.of(lease);

    scene.revoke(N2, lease);
    scene.until("both are told", () -> first.count() > 0 && second.count() > 0);
    scene.settle();

    first.assertOnce(lease, token, LeaseLost.Reason.REVOKED);
    second.assertOnce(lease, token, LeaseLost.Reason.REVOKED);
  }

  /** CASES.md, 23. */
  @Test
  @DisplayName("R22 nobody is told of a loss of what was never held")
  default void nothingIsToldOfAHoldThatNeverWas() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    Lease contender = scene.lease(N2);
    Losses losses = Losses.of(contender);

    assertThat(scene.acquired(contender)).isFalse();
    scene.revoke(N2, holder);
    scene.settle();

    losses.assertNone();
  }

  @Test
  @DisplayName("R23 a handler that throws disturbs no other, and is told of the next loss, too")
  default void throwingHandlerDisturbsNoOther() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    AtomicInteger thrown = new AtomicInteger();
    Subscription unusedThrower =
        lease.onLost(
            lost -> {
              thrown.incrementAndGet();
              throw new IllegalStateException("a handler of the contract kit throws");
            });
    Losses losses = Losses.of(lease);

    scene.revoke(N2, lease);
    scene.until("the first loss is told", () -> losses.count() == 1 && thrown.get() == 1);
    scene.until("it is free", () -> scene.acquired(lease));
    scene.revoke(N2, lease);

    scene.until("the second loss is told", () -> losses.count() == 2 && thrown.get() == 2);
  }

  /** CASES.md, 34: the set of handlers changes while they are called. */
  @Test
  @DisplayName("R24 a handler may unsubscribe itself and others and add new ones")
  default void handlerMayChangeTheHandlers() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    AtomicInteger itself = new AtomicInteger();
    Losses other = Losses.of(lease);
    List<Losses> added = new CopyOnWriteArrayList<>();
    List<Subscription> itsOwn = new CopyOnWriteArrayList<>();
    itsOwn.add(
        lease.onLost(
            lost -> {
              itself.incrementAndGet();
              itsOwn.forEach(Subscription::close);
              other.unsubscribe();
              added.add(Losses.of(lease));
            }));

    scene.revoke(N2, lease);
    scene.until("the handler ran", () -> added.size() == 1);
    scene.settle();

    assertThat(itself).hasValue(1);
    assertThat(other.count()).isLessThanOrEqualTo(1);
    added.get(0).assertNone();
  }

  @Test
  @DisplayName("R25 a handler may acquire the lease again")
  default void handlerMayAcquire() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    long before = scene.token(lease);
    List<CompletionStage<Boolean>> again = new CopyOnWriteArrayList<>();
    Subscription unusedAcquirer = lease.onLost(lost -> again.add(lease.acquire(scene.ttl())));

    scene.revoke(N2, lease);
    scene.until("the handler acquires", () -> again.size() == 1);
    boolean granted = scene.await("the handler's acquire", again.get(0));

    assertThat(granted).isTrue();
    assertThat(lease.checkAlive()).isTrue();
    assertThat(scene.token(lease)).isGreaterThan(before);
  }

  /** CASES.md, 28. */
  @Test
  @DisplayName("R26 a handler may release: it is a no-op and not a second loss")
  default void handlerMayRelease() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    long token = scene.token(lease);
    Losses losses = Losses.of(lease);
    List<CompletionStage<Void>> released = new CopyOnWriteArrayList<>();
    Subscription unusedReleaser = lease.onLost(lost -> released.add(lease.release()));

    scene.revoke(N2, lease);
    scene.until("the handler releases", () -> released.size() == 1);
    scene.await("the handler's release", released.get(0));
    scene.settle();

    losses.assertOnce(lease, token, LeaseLost.Reason.REVOKED);
    assertThat(released).hasSize(1);
  }

  /** CASES.md, 37. If it hangs, handlers run on a thread that the answer needs. */
  @Test
  @DisplayName("R27 a handler may wait for an acquire")
  default void handlerMayBlock() {
    Scene scene = scene();
    scene.require(Capability.BLOCKING_CALLBACKS);
    Lease lease = scene.held(N1);
    Lease other =
        scene.cluster().node(N1).lease(scene.settings(N1).withName(scene.name() + "/other"));
    List<Boolean> answers = new CopyOnWriteArrayList<>();
    Subscription unusedBlocker =
        lease.onLost(lost -> answers.add(other.acquire().toCompletableFuture().join()));

    scene.revoke(N2, lease);

    scene.until("the handler has waited", () -> answers.size() == 1);
    assertThat(answers).containsExactly(true);
    assertThat(other.checkAlive()).isTrue();
  }

  /** CASES.md, 37. If it hangs, stages complete on a thread that the next answer needs. */
  @Test
  @DisplayName("R28 what depends on an acquire may wait for another one")
  default void completionMayBlock() {
    Scene scene = scene();
    scene.require(Capability.BLOCKING_CALLBACKS);
    Lease lease = scene.lease(N1);
    Lease other =
        scene.cluster().node(N1).lease(scene.settings(N1).withName(scene.name() + "/other"));

    CompletionStage<Boolean> both =
        lease.acquire().thenApply(held -> held && other.acquire().toCompletableFuture().join());

    assertThat(scene.await("both acquires", both)).isTrue();
    assertThat(lease.checkAlive()).isTrue();
    assertThat(other.checkAlive()).isTrue();
  }

  /** CASES.md, 32: whoever comes late asks {@link Lease#checkAlive}. */
  @Test
  @DisplayName("R29 a handler is not told of a loss before its registration")
  default void lateHandlerIsNotTold() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    Losses early = Losses.of(lease);

    scene.revoke(N2, lease);
    scene.until("the loss is told", () -> early.count() == 1);
    Losses late = Losses.of(lease);
    scene.settle();

    late.assertNone();
    assertThat(lease.checkAlive()).isFalse();
  }

  @Test
  @DisplayName("R30 a handler that was unsubscribed is not told; unsubscribing twice is nothing")
  default void unsubscribedHandlerIsNotTold() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    Losses gone = Losses.of(lease);
    Losses there = Losses.of(lease);

    gone.unsubscribe();
    gone.unsubscribe();
    scene.revoke(N2, lease);
    scene.until("the other one is told", () -> there.count() == 1);
    scene.settle();

    gone.assertNone();
  }

  @Test
  @DisplayName("R31 a handler stays registered for the holds to come")
  default void handlerStaysRegistered() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    long first = scene.token(lease);
    Losses losses = Losses.of(lease);

    scene.revoke(N2, lease);
    scene.until("the first loss is told", () -> losses.count() == 1);
    scene.until("it is free", () -> scene.acquired(lease));
    long second = scene.token(lease);
    scene.revoke(N2, lease);
    scene.until("the second loss is told", () -> losses.count() == 2);
    scene.settle();

    assertThat(losses.seen())
        .extracting(LeaseLost::fencingToken)
        .as("tokens of the losses")
        .containsExactly(first, second);
  }

  /** CASES.md, 101. */
  @Test
  @DisplayName("R32 the handlers of all handles of a hold are told, and no others")
  default void handlersBelongToTheHold() {
    Scene scene = scene();
    Lease lease = scene.held(N1, "a");
    long token = scene.token(lease);
    Losses sameHold = Losses.of(scene.lease(N1, "a"));
    Losses otherOwner = Losses.of(scene.lease(N1, "b"));
    Losses otherNode = Losses.of(scene.lease(N2, "a"));

    scene.revoke(N2, lease);
    scene.until("the other handle's handler is told", () -> sameHold.count() == 1);
    scene.settle();

    sameHold.assertOnce(lease, token, LeaseLost.Reason.REVOKED);
    otherOwner.assertNone();
    otherNode.assertNone();
  }

  /** CASES.md, 29: a handler that waits for a thread which uses the lease must not deadlock. */
  @Test
  @DisplayName("R33 handlers run under no lock: other threads use the lease meanwhile")
  default void handlersRunUnderNoLock() {
    Scene scene = scene();
    scene.require(Capability.BLOCKING_CALLBACKS);
    Lease lease = scene.held(N1);
    List<Boolean> seen = new CopyOnWriteArrayList<>();
    Subscription unusedBlocker =
        lease.onLost(
            lost -> {
              CompletableFuture<Boolean> otherThread =
                  CompletableFuture.supplyAsync(
                      () -> {
                        lease.onLost(ignored -> {}).close();
                        CompletionStage<Boolean> unusedAnswer = lease.acquire();
                        CompletionStage<Void> unusedEnd = lease.release();
                        return lease.remaining().isZero();
                      });
              seen.add(otherThread.orTimeout(10, TimeUnit.SECONDS).join());
            });

    scene.revoke(N2, lease);

    scene.until("the handler has waited for the other thread", () -> seen.size() == 1);
  }
}
