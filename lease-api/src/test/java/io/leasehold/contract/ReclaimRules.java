package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static io.leasehold.contract.Scene.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.contract.ContractCluster.Capability;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The same owner in a newer process. */
public interface ReclaimRules {

  Scene scene();

  private static Lease reclaiming(Scene scene, String node, String owner) {
    return scene.cluster().node(node).lease(scene.settings(owner).withReclaim(true));
  }

  /** CASES.md, 31, 98: the older process may only be paused. */
  @Test
  @DisplayName("R70 without reclaim an owner waits for the expiry of its former process")
  default void withoutReclaimTheOwnerWaits() {
    Scene scene = scene();
    scene.require(Capability.CRASH);
    Lease former = scene.held(N1, "a");
    long before = scene.token(former);

    long start = scene.cluster().time().nanos();
    assertThat(scene.acquired(former)).as("confirmed, so renewed after the start").isTrue();
    scene.cluster().crash(N1);
    Lease again = scene.lease(N1, "a");
    boolean atOnce = scene.acquired(again);
    boolean later = scene.await("the takeover", again.acquire(scene.ttls(20)));

    assertThat(atOnce).isFalse();
    assertThat(later).isTrue();
    assertThat(scene.since(start)).isGreaterThanOrEqualTo(scene.ttl());
    assertThat(scene.token(again)).isGreaterThan(before);
  }

  /** CASES.md, 31: the new incarnation gets a new token, and the old one is told. */
  @Test
  @DisplayName("R71 with reclaim the owner takes over from its older process at once")
  default void reclaimTakesOverAtOnce() {
    Scene scene = scene();
    scene.require(Capability.RECLAIM);
    Lease older = scene.held(N1, "a");
    long before = scene.token(older);
    Losses losses = Losses.of(older);
    scene.restart(N2);
    Lease newer = reclaiming(scene, N2, "a");

    boolean granted = scene.acquired(newer);
    scene.until("the older process is told", () -> losses.count() > 0);
    scene.settle();

    assertThat(granted).isTrue();
    assertThat(scene.token(newer)).isGreaterThan(before);
    assertThat(newer.checkAlive()).isTrue();
    losses.assertOnce(older, before, LeaseLost.Reason.TAKEN_OVER);
  }

  @Test
  @DisplayName("R72 reclaim takes nothing from other owners")
  default void reclaimTakesNothingFromOthers() {
    Scene scene = scene();
    scene.require(Capability.RECLAIM);
    Lease holder = scene.held(N1, "a");
    scene.restart(N2);

    boolean granted = scene.acquired(reclaiming(scene, N2, "b"));

    assertThat(granted).isFalse();
    assertThat(holder.checkAlive()).isTrue();
  }

  @Test
  @DisplayName("R73 an older process reclaims nothing from a newer one")
  default void olderProcessReclaimsNothing() {
    Scene scene = scene();
    scene.require(Capability.RECLAIM);
    Lease older = reclaiming(scene, N1, "a");
    scene.hold(older);
    scene.release(older);
    scene.restart(N2);
    Lease newer = scene.held(N2, "a");

    boolean granted = scene.acquired(older);

    assertThat(granted).isFalse();
    assertThat(newer.checkAlive()).isTrue();
  }

  @Test
  @DisplayName("R74 a reclaim passes the queue by, and the waiters go on waiting")
  default void reclaimPassesTheQueueBy() {
    Scene scene = scene();
    scene.require(Capability.RECLAIM);
    scene.held(N1, "a");
    scene.restart(N2);
    Lease waiter = scene.lease(N3, "b");
    CompletableFuture<Boolean> answer = scene.queued(waiter, 1);
    Lease newer = reclaiming(scene, N2, "a");

    assertThat(scene.acquired(newer)).isTrue();
    scene.settle();
    assertThat(answer).isNotDone();
    scene.release(newer);

    assertThat(scene.await("the waiter's turn", answer)).isTrue();
    assertThat(waiter.checkAlive()).isTrue();
  }
}
