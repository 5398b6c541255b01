package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static io.leasehold.contract.Scene.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waiting for a lease. */
public interface QueueRules {

  Scene scene();

  @Test
  @DisplayName("R34 a free lease is granted to the waiting form at once")
  default void waitingFormTakesAFreeLease() {
    Scene scene = scene();
    Lease lease = scene.lease(N1);

    boolean granted = scene.await("the acquire", lease.acquire(scene.ttl()));

    assertThat(granted).isTrue();
    assertThat(lease.checkAlive()).isTrue();
  }

  @Test
  @DisplayName("R35 a release hands the lease to the waiter, with a greater token, and it is kept")
  default void releaseHandsOver() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    long before = scene.token(holder);
    Lease waiter = scene.lease(N2);
    CompletableFuture<Boolean> answer = scene.queued(waiter, 1);

    long start = scene.cluster().time().nanos();
    scene.release(holder);
    boolean granted = scene.await("the hand-over", answer);
    Duration handedOverAfter = scene.since(start);

    assertThat(granted).isTrue();
    assertThat(handedOverAfter).as("not by expiry").isLessThan(scene.ttl());
    assertThat(scene.token(waiter)).isGreaterThan(before);
    scene.always(scene.ttls(1.5), "the waiter keeps it", waiter::checkAlive);
  }

  @Test
  @DisplayName("R36 waiters are served first come, first served")
  default void waitersAreServedInOrder() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    List<Lease> waiters = List.of(scene.lease(N2, "b"), scene.lease(N3, "c"), scene.lease(N2, "d"));
    List<CompletableFuture<Boolean>> answers =
        List.of(
            scene.queued(waiters.get(0), 1),
            scene.queued(waiters.get(1), 2),
            scene.queued(waiters.get(2), 3));

    Lease current = holder;
    for (int place = 0; place < waiters.size(); place++) {
      scene.release(current);
      assertThat(scene.await("the next in the queue", answers.get(place))).isTrue();
      current = waiters.get(place);

      assertThat(current.checkAlive()).isTrue();
      assertThat(answers.subList(place + 1, answers.size())).noneMatch(CompletableFuture::isDone);
    }
  }

  @Test
  @DisplayName("R37 a wait that takes too long ends with false, and leaves the queue")
  default void waitEndsWithFalse() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    Lease waiter = scene.lease(N2);
    Duration maxWait = scene.ttls(0.4);

    long start = scene.cluster().time().nanos();
    boolean granted = scene.await("the end of the wait", waiter.acquire(maxWait));

    assertThat(granted).isFalse();
    assertThat(scene.since(start)).isGreaterThanOrEqualTo(maxWait);
    assertThat(scene.waiters()).isZero();
    scene.release(holder);
    assertThat(scene.find(N1)).isEmpty();
    assertThat(waiter.checkAlive()).isFalse();
  }

  @Test
  @DisplayName("R38 a wait of zero does not queue")
  default void zeroWaitDoesNotQueue() {
    Scene scene = scene();
    Lease holder = scene.held(N1);

    boolean granted = scene.await("the answer", scene.lease(N2).acquire(Duration.ZERO));

    assertThat(granted).isFalse();
    assertThat(scene.waiters()).isZero();
    assertThat(holder.checkAlive()).isTrue();
  }

  @Test
  @DisplayName("R39 cancelling the future leaves the queue")
  default void cancelLeavesTheQueue() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    Lease waiter = scene.lease(N2);
    CompletableFuture<Boolean> answer = scene.queued(waiter, 1);

    answer.cancel(true);
    scene.until("the queue is left", () -> scene.waiters() == 0);
    scene.release(holder);

    assertThat(scene.find(N1)).isEmpty();
    assertThat(waiter.checkAlive()).isFalse();
    assertThat(scene.acquired(waiter)).as("the handle is as good as new").isTrue();
  }

  /** CASES.md, 41, 57: whichever comes first, the grant or the cancellation. */
  @Test
  @DisplayName("R40 a lease that is granted to a cancelled acquire is given back")
  default void cancelledGrantIsGivenBack() {
    Scene scene = scene();
    Lease lease = scene.lease(N1);

    for (int round = 0; round < Math.min(20, scene.cluster().rounds()); round++) {
      CompletableFuture<Boolean> answer = lease.acquire().toCompletableFuture();
      boolean cancelled = answer.cancel(true);
      if (cancelled) {
        scene.until("nothing stays held", () -> scene.find(N2).isEmpty());
      }

      assertThat(lease.checkAlive()).isEqualTo(!cancelled);
      scene.release(lease);
    }
  }

  @Test
  @DisplayName("R41 a shared wait goes on until the last caller cancels")
  default void sharedWaitGoesOnUntilTheLastCancels() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    Lease waiter = scene.lease(N2);
    CompletableFuture<Boolean> first = scene.queued(waiter, 1);
    CompletableFuture<Boolean> second = waiter.acquire(scene.ttls(20)).toCompletableFuture();
    Lease behind = scene.lease(N3);
    CompletableFuture<Boolean> leaving = scene.queued(behind, 2);
    CompletableFuture<Boolean> leavingToo = behind.acquire(scene.ttls(20)).toCompletableFuture();

    first.cancel(true);
    leaving.cancel(true);
    leavingToo.cancel(true);
    scene.until("only one waits", () -> scene.waiters() == 1);
    scene.release(holder);

    assertThat(scene.await("the caller that stayed", second)).isTrue();
    assertThat(waiter.checkAlive()).isTrue();
    assertThat(behind.checkAlive()).isFalse();
  }

  @Test
  @DisplayName("R42 a release ends a wait: the queue is left, and the acquire says false")
  default void releaseEndsAWait() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    Lease waiter = scene.lease(N2);
    CompletableFuture<Boolean> answer = scene.queued(waiter, 1);

    scene.release(waiter);

    assertThat(scene.await("the acquire", answer)).isFalse();
    assertThat(scene.waiters()).isZero();
    assertThat(holder.checkAlive()).isTrue();
    scene.release(holder);
    assertThat(scene.find(N3)).isEmpty();
  }

  @Test
  @DisplayName("R43 a revocation hands the lease to the waiter")
  default void revocationHandsOver() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    Lease waiter = scene.lease(N2);
    CompletableFuture<Boolean> answer = scene.queued(waiter, 1);

    scene.revoke(N3, holder);

    assertThat(scene.await("the hand-over", answer)).isTrue();
    assertThat(waiter.checkAlive()).isTrue();
    assertThat(holder.checkAlive()).isFalse();
  }

  /** CASES.md, 67, 109: what was given up leaves nothing behind. */
  @Test
  @DisplayName("R44 waits that were given up leave nothing in the store")
  default void givenUpWaitsLeaveNothing() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    Lease waiter = scene.lease(N2);

    for (int round = 0; round < scene.cluster().rounds(); round++) {
      if (round % 2 == 0) {
        CompletionStage<Boolean> answer = waiter.acquire(Duration.ofMillis(1));
        assertThat(scene.await("the end of the wait", answer)).isFalse();
      } else {
        waiter.acquire(scene.ttl()).toCompletableFuture().cancel(true);
      }
    }

    scene.until("nobody waits", () -> scene.waiters() == 0);
    assertThat(holder.checkAlive()).isTrue();
    scene.release(holder);
    scene.until("the lease is free", () -> scene.find(N1).isEmpty());
  }
}
