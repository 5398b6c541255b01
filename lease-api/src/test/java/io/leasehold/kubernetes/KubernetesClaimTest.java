package io.leasehold.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.holder.Claim;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims on a mock of the API server, with an observer's clock that is turned by hand. */
final class KubernetesClaimTest {

  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration TTL = Duration.ofMillis(9_500);
  private static final Duration WRITTEN_TTL = Duration.ofSeconds(10);
  private static final String NAMESPACE = "default";
  private static final ZonedDateTime FAR_AWAY = ZonedDateTime.parse("2099-12-31T23:59:59Z");

  private static final MockKubernetes KUBERNETES = MockKubernetes.start();
  private static final KubernetesClient CLIENT = KUBERNETES.client();

  private final VirtualTime time = new VirtualTime();
  private final KubernetesStore store =
      new KubernetesStore(CLIENT, NAMESPACE, new Observations(time), Runnable::run);

  @BeforeEach
  void forgetEverything() {
    KUBERNETES.server().reset();
  }

  @AfterAll
  static void shutDown() {
    CLIENT.close();
    KUBERNETES.close();
  }

  private Claim claim(String owner) {
    return store.claim(LeaseSettings.of("printer", owner, TTL));
  }

  private static Resource<Lease> object() {
    return CLIENT.leases().inNamespace(NAMESPACE).withName("printer");
  }

  private static void assertGranted(Claim claim, long token) {
    assertThat(claim.ask().toCompletableFuture().join()).hasValue(token);
  }

  private static void assertRefused(Claim claim) {
    assertThat(claim.ask().toCompletableFuture().join()).isEmpty();
  }

  private static void assertHeld(Claim claim) {
    assertThat(claim.renew().toCompletableFuture().join()).isEmpty();
  }

  private static void assertLost(Claim claim, LeaseLost.Reason reason) {
    assertThat(claim.renew().toCompletableFuture().join()).hasValue(reason);
  }

  private static void giveBack(Claim claim) {
    assertThat(claim.giveBack().toCompletableFuture()).isCompleted();
  }

  @Test
  void grantIsWrittenAsLeaderElectionWritesIt() {
    assertGranted(claim("a"), 1);

    var spec = object().get().getSpec();
    assertThat(spec.getHolderIdentity()).startsWith("a_");
    assertThat(spec.getLeaseDurationSeconds()).isEqualTo(10);
    assertThat(spec.getLeaseTransitions()).isEqualTo(1);
    assertThat(spec.getRenewTime()).isEqualTo(spec.getAcquireTime());
  }

  @Test
  void leaseThatWasSeenUnchangedForItsTimeToLiveIsTakenOver() {
    Claim a = claim("a");
    assertGranted(a, 1);
    time.advance(WRITTEN_TTL.multipliedBy(2));
    assertRefused(claim("b"));

    time.advance(WRITTEN_TTL.minus(NANO));
    assertRefused(claim("b"));
    time.advance(NANO);
    Claim b = claim("b");
    assertGranted(b, 2);

    assertLost(a, LeaseLost.Reason.TAKEN_OVER);
    giveBack(a);
    assertHeld(b);
  }

  @Test
  void renewalIsSeenAsAChange() {
    Claim a = claim("a");
    assertGranted(a, 1);
    assertRefused(claim("b"));
    time.advance(WRITTEN_TTL.minus(NANO));
    assertHeld(a);

    time.advance(NANO);
    assertRefused(claim("b"));
    time.advance(WRITTEN_TTL.minus(NANO));
    assertRefused(claim("b"));

    time.advance(NANO);
    assertGranted(claim("b"), 2);
  }

  @Test
  void clocksOfOthersDoNotMatter() {
    Claim a = claim("a");
    assertGranted(a, 1);
    object().edit(lease -> lease.edit().editSpec().withRenewTime(FAR_AWAY).endSpec().build());
    assertRefused(claim("b"));

    assertHeld(a);

    assertThat(object().get().getSpec().getRenewTime()).isAfter(FAR_AWAY);
    time.advance(WRITTEN_TTL);
    assertRefused(claim("b"));
    time.advance(WRITTEN_TTL);
    assertGranted(claim("b"), 2);
  }

  @Test
  void leaseThatWasGivenBackIsFreeAtOnceAndTheTokenGrows() {
    Claim a = claim("a");
    assertGranted(a, 1);

    giveBack(a);
    giveBack(a);

    assertThat(object().get().getSpec().getHolderIdentity()).isNull();
    assertLost(a, LeaseLost.Reason.REVOKED);
    assertGranted(claim("a"), 2);
  }

  @Test
  void otherClaimOfTheSameOwnerIsAnotherHolder() {
    Claim first = claim("a");
    assertGranted(first, 1);

    Claim second = claim("a");
    assertRefused(second);
    giveBack(second);

    assertHeld(first);
  }

  @Test
  void claimThatWasGivenBackGetsNothing() {
    Claim a = claim("a");
    giveBack(a);

    assertThat(a.ask())
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LeaseUnavailableException.class);
    assertThat(object().get()).isNull();
  }

  @Test
  void objectThatWasDeletedIsARevocation() {
    Claim a = claim("a");
    assertGranted(a, 1);

    object().delete();

    assertLost(a, LeaseLost.Reason.REVOKED);
    giveBack(a);
    assertThat(object().get()).isNull();
  }

  @Test
  void changeByAnotherHandDoesNotEndAHold() {
    Claim a = claim("a");
    assertGranted(a, 1);

    object()
        .edit(lease -> lease.edit().editMetadata().addToLabels("app", "x").endMetadata().build());
    assertHeld(a);

    assertThat(object().get().getMetadata().getLabels()).containsEntry("app", "x");
    giveBack(a);
    assertThat(object().get().getSpec().getHolderIdentity()).isNull();
  }

  @Test
  void objectOfAnotherProgramIsRespected() {
    Lease foreign =
        new LeaseBuilder()
            .withNewMetadata()
            .withName("printer")
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity("somebody")
            .withLeaseDurationSeconds(30)
            .endSpec()
            .build();
    CLIENT.leases().inNamespace(NAMESPACE).resource(foreign).create();

    assertRefused(claim("b"));
    time.advance(Duration.ofSeconds(30).minus(NANO));
    assertRefused(claim("b"));
    time.advance(NANO);
    assertGranted(claim("b"), 1);
  }
}
