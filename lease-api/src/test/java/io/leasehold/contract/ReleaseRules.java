package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Giving a lease up. */
public interface ReleaseRules {

  Scene scene();

  @Test
  @DisplayName("R13 a released lease is not alive when release returns, and free when it completes")
  default void releaseFreesTheLease() {
    Scene scene = scene();
    Lease lease = scene.held(N1);

    CompletionStage<Void> released = lease.release();
    boolean aliveAfterwards = lease.checkAlive();
    scene.await("the release", released);

    assertThat(aliveAfterwards).isFalse();
    assertThat(lease.remaining()).isZero();
    assertThat(lease.fencingToken()).isEmpty();
    assertThat(scene.find(N2)).isEmpty();
    assertThat(scene.acquired(scene.lease(N2))).isTrue();
  }

  /** CASES.md, 70: a release in a finally block, though nothing was acquired. */
  @Test
  @DisplayName("R14 releasing a lease that is not held does nothing")
  default void releaseOfWhatIsNotHeldDoesNothing() {
    Scene scene = scene();
    Lease never = scene.lease(N1);
    scene.release(never);

    Lease holder = scene.held(N2);
    assertThat(scene.acquired(never)).isFalse();
    scene.release(never);

    assertThat(holder.checkAlive()).isTrue();
    assertThat(scene.acquired(holder)).as("confirmed").isTrue();
  }

  /** CASES.md, 76, 103: a release is conditional on the token. */
  @Test
  @DisplayName("R15 a second release leaves the next holder alone")
  default void secondReleaseLeavesTheNextHolderAlone() {
    Scene scene = scene();
    Lease first = scene.held(N1, "a");
    scene.release(first);
    Lease next = scene.held(N2, "a");
    long token = scene.token(next);

    scene.release(first);
    scene.settle();

    assertThat(next.checkAlive()).isTrue();
    assertThat(scene.acquired(next)).as("confirmed").isTrue();
    assertThat(next.fencingToken()).hasValue(token);
  }

  @Test
  @DisplayName("R16 a voluntary release is not a loss")
  default void releaseIsNotALoss() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    Losses losses = Losses.of(lease);

    scene.release(lease);
    scene.hold(scene.lease(N2));
    scene.settle();

    losses.assertNone();
  }

  /** CASES.md, 80: release and acquire of one hold are serialised. */
  @Test
  @DisplayName("R17 a release during an acquire undoes it")
  default void releaseUndoesAnAcquireUnderWay() {
    Scene scene = scene();
    Lease lease = scene.lease(N1);

    CompletableFuture<Boolean> acquired = lease.acquire().toCompletableFuture();
    CompletionStage<Void> released = lease.release();
    scene.await("the release", released);
    scene.until("the acquire ends, too", acquired::isDone);

    assertThat(lease.checkAlive()).isFalse();
    assertThat(scene.find(N2)).isEmpty();
    scene.settle();
    assertThat(lease.checkAlive()).isFalse();
  }

  /** CASES.md, 80. */
  @Test
  @DisplayName("R18 an acquire right after a release is not undone by it, and gets a new token")
  default void acquireAfterReleaseIsNotUndone() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    long before = scene.token(lease);

    CompletionStage<Void> released = lease.release();
    CompletionStage<Boolean> acquired = lease.acquire();
    boolean granted = scene.await("the acquire", acquired);
    scene.await("the release", released);
    scene.settle();

    assertThat(granted).isTrue();
    assertThat(lease.checkAlive()).isTrue();
    assertThat(scene.token(lease)).isGreaterThan(before);
    assertThat(scene.acquired(lease)).as("confirmed").isTrue();
  }

  @Test
  @DisplayName("R93 acquires and releases of one hold take effect in the order of their calls")
  default void callsTakeEffectInOrder() {
    Scene scene = scene();
    Lease lease = scene.lease(N1);

    CompletionStage<Boolean> first = lease.acquire();
    CompletionStage<Void> released = lease.release();
    CompletionStage<Boolean> second = lease.acquire();
    CompletableFuture<Boolean> firstAnswer = first.toCompletableFuture();
    scene.until("the first acquire ends", firstAnswer::isDone);
    scene.await("the release", released);
    boolean granted = scene.await("the second acquire", second);
    scene.settle();

    assertThat(granted).isTrue();
    assertThat(lease.checkAlive()).isTrue();
    assertThat(scene.acquired(lease)).as("confirmed").isTrue();
    scene.release(lease);
    assertThat(scene.find(N2)).isEmpty();
  }

  /** CASES.md, 40: the renewals of a node's other leases do not resurrect one that was released. */
  @Test
  @DisplayName("R19 renewals do not bring a released lease back")
  default void renewalsDoNotResurrect() {
    Scene scene = scene();
    Lease released = scene.held(N1);
    Lease kept =
        scene.cluster().node(N1).lease(scene.settings(N1).withName(scene.name() + "/kept"));
    scene.hold(kept);

    scene.release(released);
    scene.advance(scene.ttl());

    assertThat(kept.checkAlive()).isTrue();
    assertThat(released.checkAlive()).isFalse();
    assertThat(scene.find(N2)).isEmpty();
  }

  /** CASES.md, 38, 41, 59: at whichever step a call is cancelled. If it fails, replay the seed. */
  @Test
  @DisplayName("R20 whatever the order of acquires, releases and cancellations, nothing stays held")
  default void nothingStaysHeldAfterRandomCalls() {
    Scene scene = scene();
    long seed = Long.getLong("seed", 1);
    Random random = new Random(seed);
    List<Lease> leases = List.of(scene.lease(N1), scene.lease(N2));
    List<CompletableFuture<Boolean>> answers = new ArrayList<>();

    for (int round = 0; round < scene.cluster().rounds(); round++) {
      Lease lease = leases.get(random.nextInt(leases.size()));
      switch (random.nextInt(5)) {
        case 0 -> answers.add(lease.acquire().toCompletableFuture());
        case 1 -> answers.add(lease.acquire(scene.ttls(0.1)).toCompletableFuture());
        case 2 -> {
          CompletionStage<Void> unusedForItIsAwaitedInTheEnd = lease.release();
        }
        case 3 -> answers.forEach(answer -> answer.cancel(true));
        default -> scene.advance(Duration.ofMillis(random.nextInt(5)));
      }
      assertThat(leases.stream().filter(Lease::checkAlive).count())
          .as("holders in round %d of seed %d", round, seed)
          .isLessThanOrEqualTo(1);
    }
    leases.forEach(scene::release);

    scene.until("every acquire ends", () -> answers.stream().allMatch(CompletableFuture::isDone));
    assertThat(leases).noneMatch(Lease::checkAlive);
    scene.until("the lease is free", () -> scene.find(N1).isEmpty());
  }
}
