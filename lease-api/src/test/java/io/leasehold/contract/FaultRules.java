package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static io.leasehold.contract.Scene.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.contract.ContractCluster.Capability;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holders that crash, stand still, or are cut off. */
public interface FaultRules {

  Scene scene();

  @Test
  @DisplayName("R49 the lease of a crashed holder is granted after its ttl and not before")
  default void crashedHolderRunsOut() {
    Scene scene = scene();
    scene.require(Capability.CRASH);
    Lease holder = scene.held(N1);
    long token = scene.token(holder);
    Lease contender = scene.lease(N2);

    long start = scene.cluster().time().nanos();
    assertThat(scene.acquired(holder)).as("confirmed, so renewed after the start").isTrue();
    scene.cluster().crash(N1);
    boolean atOnce = scene.acquired(contender);
    boolean later = scene.await("the takeover", contender.acquire(scene.ttls(20)));

    assertThat(atOnce).isFalse();
    assertThat(later).isTrue();
    assertThat(scene.since(start)).isGreaterThanOrEqualTo(scene.ttl());
    assertThat(scene.token(contender)).isGreaterThan(token);
  }

  /**
   * CASES.md, 4, 5, 7, 8, 17, 19, 20. If both are alive, see from when the holder's deadline
   * counts.
   */
  @Test
  @DisplayName("R50 a holder that is cut off is not alive any more when another one is granted")
  default void cutOffHolderEndsBeforeTheNextBegins() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease holder = scene.held(N1);
    long token = scene.token(holder);
    Losses losses = Losses.of(holder);
    Lease contender = scene.lease(N2);

    long start = scene.cluster().time().nanos();
    assertThat(scene.acquired(holder)).as("confirmed, so renewed after the start").isTrue();
    scene.cluster().disconnect(N1);
    CompletableFuture<Boolean> answer = contender.acquire(scene.ttls(20)).toCompletableFuture();
    scene.until(
        "the contender is granted",
        () -> {
          assertThat(Scene.notBoth(contender, holder)).isTrue();
          return answer.isDone();
        });

    assertThat(answer.join()).isTrue();
    assertThat(scene.since(start)).isGreaterThanOrEqualTo(scene.ttl());
    scene.always(
        scene.ttls(1.2),
        "both sides go on, and one holds",
        () -> contender.checkAlive() && !holder.checkAlive());

    scene.cluster().reconnect(N1);
    scene.always(
        scene.ttls(0.5),
        "the former holder has come back, and the other one holds",
        () -> contender.checkAlive() && !holder.checkAlive());
    losses.assertOnce(
        holder,
        token,
        LeaseLost.Reason.UNREACHABLE,
        LeaseLost.Reason.EXPIRED,
        LeaseLost.Reason.TAKEN_OVER);
    assertThat(scene.acquired(holder)).isFalse();
  }

  @Test
  @DisplayName("R51 after a pause longer than the ttl the first check says that the lease is lost")
  default void pausedHolderFindsItsLeaseLost() {
    Scene scene = scene();
    scene.require(Capability.PAUSE);
    Lease holder = scene.held(N1);
    long token = scene.token(holder);
    Losses losses = Losses.of(holder);
    Lease contender = scene.lease(N2);

    scene.cluster().pause(N1);
    scene.advance(scene.ttls(1.2));
    boolean firstCheck = holder.checkAlive();
    assertThat(scene.await("the takeover", contender.acquire(scene.ttls(20)))).isTrue();
    scene.cluster().resume(N1);
    scene.until("the former holder is told", () -> losses.count() > 0);
    scene.settle();

    assertThat(firstCheck).isFalse();
    losses.assertOnce(
        holder,
        token,
        LeaseLost.Reason.UNREACHABLE,
        LeaseLost.Reason.EXPIRED,
        LeaseLost.Reason.TAKEN_OVER,
        LeaseLost.Reason.SESSION_LOST);
    assertThat(holder.checkAlive()).isFalse();
    assertThat(contender.checkAlive()).isTrue();
  }

  /** CASES.md, 44, 49: one lost renewal is repeated in time. */
  @Test
  @DisplayName("R52 a short disconnection loses nothing")
  default void shortDisconnectionLosesNothing() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease holder = scene.held(N1);
    Losses losses = Losses.of(holder);
    assertThat(scene.acquired(holder)).as("confirmed").isTrue();

    scene.cluster().disconnect(N1);
    scene.always(scene.ttls(0.4), "it is held", holder::checkAlive);
    scene.cluster().reconnect(N1);

    scene.always(scene.ttls(1.5), "it is held", holder::checkAlive);
    losses.assertNone();
  }

  @Test
  @DisplayName("R53 a short pause loses nothing")
  default void shortPauseLosesNothing() {
    Scene scene = scene();
    scene.require(Capability.PAUSE);
    Lease holder = scene.held(N1);
    Losses losses = Losses.of(holder);
    assertThat(scene.acquired(holder)).as("confirmed").isTrue();

    scene.cluster().pause(N1);
    scene.advance(scene.ttls(0.4));
    scene.cluster().resume(N1);

    scene.always(scene.ttls(1.5), "it is held", holder::checkAlive);
    losses.assertNone();
  }

  /** CASES.md, 5, 20. */
  @Test
  @DisplayName("R54 what was lost does not come back by itself, though nobody else wanted it")
  default void lostHoldDoesNotComeBack() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease lease = scene.held(N1);
    long token = scene.token(lease);
    Losses losses = Losses.of(lease);

    scene.cluster().disconnect(N1);
    scene.until("the local deadline passes", () -> !lease.checkAlive());
    scene.cluster().reconnect(N1);
    scene.always(scene.ttls(0.5), "it stays lost", () -> !lease.checkAlive());
    scene.until("it can be acquired again", () -> scene.acquired(lease));

    assertThat(scene.token(lease)).isGreaterThan(token);
    scene.always(scene.ttls(1.2), "late news does not touch it", lease::checkAlive);
    assertThat(losses.count()).isEqualTo(1);
  }

  /**
   * CASES.md, 47: the session is renewed on behalf of the other lease, and must not keep this one.
   */
  @Test
  @DisplayName("R92 a node gives back what it has lost, though its session lives on")
  default void lostHoldIsGivenBack() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease lost = scene.held(N1);
    LeaseSettings longer =
        scene
            .settings(N1)
            .withName(scene.name() + "/kept")
            .withTtl(scene.ttls(10))
            .withRenewalInterval(scene.ttls(0.3));
    Lease kept = scene.cluster().node(N1).lease(longer);
    scene.hold(kept);

    scene.cluster().disconnect(N1);
    scene.until("the shorter one is lost", () -> !lost.checkAlive());
    scene.cluster().reconnect(N1);
    scene.until("it is given back", () -> scene.find(N2).isEmpty());

    assertThat(kept.checkAlive()).isTrue();
    scene.release(kept);
  }

  /** CASES.md, 7, 8, 17: within the ttl, not when TCP gives up. */
  @Test
  @DisplayName("R55 a holder that is cut off is told so within the ttl, while it is cut off")
  default void cutOffHolderIsToldInTime() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease lease = scene.held(N1);
    long token = scene.token(lease);
    Losses losses = Losses.of(lease);

    scene.cluster().disconnect(N1);
    long start = scene.cluster().time().nanos();
    scene.until("it is lost", () -> !lease.checkAlive());
    boolean inTime = scene.since(start).compareTo(scene.ttl()) < 0;
    scene.until("its handler is told", () -> losses.count() > 0);
    scene.settle();

    assertThat(inTime).isTrue();
    losses.assertOnce(lease, token, LeaseLost.Reason.UNREACHABLE);
  }

  /** CASES.md, 86. */
  @Test
  @DisplayName("R56 a short lease runs out in time beside a long one of the same node")
  default void shortLeaseRunsOutBesideALongOne() {
    Scene scene = scene();
    scene.require(Capability.CRASH);
    Lease longLease =
        scene
            .cluster()
            .node(N1)
            .lease(scene.settings(N1).withName(scene.name() + "/long").withTtl(scene.ttls(10)));
    scene.hold(longLease);
    scene.held(N1);

    scene.cluster().crash(N1);
    boolean granted = scene.await("the short one", scene.lease(N2).acquire(scene.ttls(5)));
    Lease contender =
        scene.cluster().node(N2).lease(longLease.settings().withOwner(N2).withTtl(scene.ttl()));

    assertThat(granted).isTrue();
    assertThat(scene.acquired(contender)).as("the long one").isFalse();
  }

  /** CASES.md, 13, 57, 121. */
  @Test
  @DisplayName("R57 an acquire by a node that is cut off fails, and leaves nothing behind")
  default void cutOffAcquireFails() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease lease = scene.lease(N1);
    Losses losses = Losses.of(lease);

    scene.cluster().disconnect(N1);
    Throwable failure = scene.awaitFailure("the acquire", lease.acquire());
    scene.cluster().reconnect(N1);
    Lease other = scene.lease(N2);
    scene.until("another node can acquire", () -> scene.acquired(other));

    assertThat(failure).isInstanceOf(LeaseException.class);
    scene.always(
        scene.ttls(0.3), "the other one holds", () -> !lease.checkAlive() && other.checkAlive());
    losses.assertNone();
  }

  /** CASES.md, 73, 74. */
  @Test
  @DisplayName(
      "R58 a release by a node that is cut off takes effect locally, and later in the store")
  default void cutOffReleaseTakesEffectLater() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease lease = scene.held(N1);
    Losses losses = Losses.of(lease);

    scene.cluster().disconnect(N1);
    CompletionStage<Void> released = lease.release();
    boolean alive = lease.checkAlive();
    Throwable failure = scene.awaitFailure("the release", released);
    scene.cluster().reconnect(N1);
    scene.until("the lease is free", () -> scene.find(N2).isEmpty());

    assertThat(alive).isFalse();
    assertThat(failure).isInstanceOf(LeaseIndeterminateException.class);
    losses.assertNone();
  }

  /** CASES.md, 1, 58, 64. */
  @Test
  @DisplayName("R59 a waiter that was cut off for its ttl is skipped, and not told that it holds")
  default void cutOffWaiterIsSkipped() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease holder = scene.held(N1);
    Lease cutOff = scene.lease(N2);
    CompletableFuture<Boolean> answer = scene.queued(cutOff, 1);
    Lease next = scene.lease(N3);
    CompletableFuture<Boolean> nextAnswer = scene.queued(next, 2);

    scene.cluster().disconnect(N2);
    scene.advance(scene.ttls(1.3));
    scene.release(holder);
    boolean nextGranted = scene.await("the next in the queue", nextAnswer);

    assertThat(nextGranted).isTrue();
    scene.assertNotGranted(answer);
    scene.cluster().reconnect(N2);
    scene.always(
        scene.ttls(0.5), "the next one holds", () -> next.checkAlive() && !cutOff.checkAlive());
  }

  /** CASES.md, 68: a dead waiter does not block the queue for ever. */
  @Test
  @DisplayName("R60 the queue goes on past a waiter that has crashed")
  default void crashedWaiterIsSkipped() {
    Scene scene = scene();
    scene.require(Capability.CRASH);
    Lease holder = scene.held(N1);
    CompletableFuture<Boolean> unusedForItIsNeverAnswered = scene.queued(scene.lease(N2), 1);
    Lease next = scene.lease(N3);
    CompletableFuture<Boolean> nextAnswer = scene.queued(next, 2);

    scene.cluster().crash(N2);
    scene.release(holder);

    assertThat(scene.await("the next in the queue", nextAnswer)).isTrue();
    assertThat(next.checkAlive()).isTrue();
  }

  /** CASES.md, 1, 2. */
  @Test
  @DisplayName("R61 a waiter that was paused for its ttl is skipped, and not told that it holds")
  default void pausedWaiterIsSkipped() {
    Scene scene = scene();
    scene.require(Capability.PAUSE);
    scene.require(Capability.QUEUE_PLACES);
    Lease holder = scene.held(N1);
    Lease paused = scene.lease(N2);
    CompletableFuture<Boolean> answer = scene.queued(paused, 1);
    Lease next = scene.lease(N3);
    CompletableFuture<Boolean> nextAnswer = scene.queued(next, 2);

    scene.cluster().pause(N2);
    scene.advance(scene.ttls(1.3));
    scene.release(holder);
    boolean nextGranted = scene.await("the next in the queue", nextAnswer);
    scene.cluster().resume(N2);

    assertThat(nextGranted).isTrue();
    scene.assertNotGranted(answer);
    assertThat(paused.checkAlive()).isFalse();
    assertThat(next.checkAlive()).isTrue();
  }

  @Test
  @DisplayName("R62 a waiter that is cut off for a moment hears of its grant afterwards")
  default void briefDisconnectionKeepsThePlace() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease holder = scene.held(N1);
    Lease waiter = scene.lease(N2);
    CompletableFuture<Boolean> answer = scene.queued(waiter, 1);

    scene.cluster().disconnect(N2);
    scene.release(holder);
    scene.settle();
    scene.cluster().reconnect(N2);

    assertThat(scene.await("the grant", answer)).isTrue();
    scene.always(scene.ttls(1.2), "it is held", waiter::checkAlive);
  }

  /** CASES.md, 2, 62. */
  @Test
  @DisplayName("R63 a grant that comes after the deadline it would give is none, and is given back")
  default void lateGrantIsNone() {
    Scene scene = scene();
    scene.require(Capability.DEAFEN);
    Lease lease = scene.held(N2); // so that its node has nothing else to ask for
    scene.release(lease);
    Losses losses = Losses.of(lease);

    scene.cluster().deafen(N2);
    long start = scene.cluster().time().nanos();
    CompletableFuture<Boolean> answer = lease.acquire(scene.ttls(4)).toCompletableFuture();
    scene.until("the store has granted it", () -> scene.find(N1).isPresent());
    Lease next = scene.lease(N3);
    CompletableFuture<Boolean> nextAnswer = scene.queued(next, 1);
    // Past the deadline, and before the call is given up for want of an answer.
    scene.until("the deadline passes", () -> scene.since(start).compareTo(scene.ttls(0.85)) > 0);
    scene.cluster().reconnect(N2);
    scene.until(
        "it is given back, and granted to the next",
        () -> {
          assertThat(lease.checkAlive()).isFalse();
          return nextAnswer.isDone();
        });

    assertThat(nextAnswer.join()).isTrue();
    assertThat(next.checkAlive()).isTrue();
    scene.assertNotGranted(answer);
    losses.assertNone();
  }
}
