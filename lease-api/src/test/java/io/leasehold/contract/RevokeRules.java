package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static io.leasehold.contract.Scene.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseStatus;
import io.leasehold.contract.ContractCluster.Capability;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What operators may do. */
public interface RevokeRules {

  Scene scene();

  /** CASES.md, 14, 53, 104: no silent re-creation by a renewal. */
  @Test
  @DisplayName("R82 a revoked holder is told at once, and then the lease is free")
  default void revokedHolderIsTold() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    long token = scene.token(holder);
    Losses losses = Losses.of(holder);

    long start = scene.cluster().time().nanos();
    scene.revoke(N2, holder);
    scene.until("the lease is free", () -> scene.find(N3).isEmpty());
    Duration freeAfter = scene.since(start);
    scene.until("the handler is told", () -> losses.count() > 0);
    scene.always(scene.ttls(0.5), "it stays free", () -> scene.find(N3).isEmpty());

    assertThat(freeAfter).as("not by expiry").isLessThan(scene.ttl());
    losses.assertOnce(holder, token, LeaseLost.Reason.REVOKED);
    assertThat(holder.checkAlive()).isFalse();
  }

  @Test
  @DisplayName("R83 after a revocation the same handle acquires anew, with a greater token")
  default void revokedHolderAcquiresAnew() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    long token = scene.token(holder);

    scene.revoke(N2, holder);
    scene.until("it can be acquired", () -> scene.acquired(holder));

    assertThat(scene.token(holder)).isGreaterThan(token);
  }

  /** CASES.md, 103. */
  @Test
  @DisplayName("R84 a revocation with another token does nothing")
  default void wrongTokenRevokesNothing() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    long token = scene.token(holder);
    Losses losses = Losses.of(holder);

    boolean safely =
        scene.await("an answer", scene.inspector(N2).revoke(scene.name(), token + 1, "wrong"));
    boolean unsafely =
        scene.await(
            "an answer", scene.inspector(N2).revokeUnsafely(scene.name(), token - 1, "wrong"));
    boolean nothing =
        scene.await("an answer", scene.inspector(N2).revoke(scene.name() + "/no", token, "free"));
    scene.settle();

    assertThat(safely).isFalse();
    assertThat(unsafely).isFalse();
    assertThat(nothing).isFalse();
    assertThat(holder.checkAlive()).isTrue();
    assertThat(scene.acquired(holder)).as("confirmed").isTrue();
    losses.assertNone();
  }

  @Test
  @DisplayName("R85 a holder that cannot be told keeps a revoked lease until its expiry")
  default void revocationIsSafe() {
    Scene scene = scene();
    scene.require(Capability.DISCONNECT);
    Lease holder = scene.held(N1);
    long token = scene.token(holder);
    Losses losses = Losses.of(holder);
    Lease contender = scene.lease(N2);

    scene.cluster().disconnect(N1);
    CompletionStage<Boolean> revoked =
        scene.inspector(N2).revoke(scene.name(), token, "to see whether it is safe");
    assertThat(scene.await("the revocation", revoked)).isTrue();
    assertThat(scene.find(N3).map(LeaseStatus::revoked)).contains(true);
    CompletableFuture<Boolean> answer = contender.acquire(scene.ttls(20)).toCompletableFuture();
    scene.until(
        "the contender is granted",
        () -> {
          assertThat(Scene.notBoth(contender, holder)).isTrue();
          return answer.isDone();
        });
    scene.cluster().reconnect(N1);
    scene.until("the handler is told", () -> losses.count() > 0);
    scene.settle();

    assertThat(answer.join()).isTrue();
    assertThat(contender.checkAlive()).isTrue();
    losses.assertOnce(holder, token, LeaseLost.Reason.UNREACHABLE, LeaseLost.Reason.REVOKED);
  }

  @Test
  @DisplayName("R86 the unsafe revocation frees the lease at once, whoever still believes in it")
  default void unsafeRevocationFreesAtOnce() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    long token = scene.token(holder);
    Losses losses = Losses.of(holder);
    Lease contender = scene.lease(N2);

    CompletionStage<Boolean> revoked =
        scene.inspector(N2).revokeUnsafely(scene.name(), token, "to see whether it is fast");
    assertThat(scene.await("the revocation", revoked)).isTrue();
    assertThat(scene.acquired(contender)).isTrue();
    scene.until("the handler is told", () -> losses.count() > 0);
    scene.settle();

    assertThat(scene.token(contender)).isGreaterThan(token);
    assertThat(holder.checkAlive()).isFalse();
    losses.assertOnce(holder, token, LeaseLost.Reason.REVOKED);
  }
}
