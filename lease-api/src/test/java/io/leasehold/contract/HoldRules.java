package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Keeping a lease while nothing is wrong. */
public interface HoldRules {

  Scene scene();

  /** How long "for ever" is: enough for several renewals. */
  private static double manyTtls(Scene scene) {
    return Math.max(2, scene.cluster().rounds() / 25.0);
  }

  /** CASES.md, 52. */
  @Test
  @DisplayName("R45 a hold is renewed for as long as its node lives")
  default void holdIsRenewed() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    long token = scene.token(lease);
    Losses losses = Losses.of(lease);

    scene.always(scene.ttls(manyTtls(scene)), "it is held", lease::checkAlive);

    assertThat(lease.fencingToken()).hasValue(token);
    assertThat(scene.acquired(scene.lease(N2))).isFalse();
    losses.assertNone();
  }

  /** CASES.md, 43. */
  @Test
  @DisplayName("R46 what was lost and acquired again is renewed as well")
  default void holdAfterALossIsRenewed() {
    Scene scene = scene();
    Lease lease = scene.held(N1);
    long first = scene.token(lease);

    scene.revoke(N2, lease);
    scene.until("it can be acquired again", () -> scene.acquired(lease));
    long second = scene.token(lease);
    scene.always(scene.ttls(1.5), "it is held", lease::checkAlive);

    assertThat(second).isGreaterThan(first);
    assertThat(lease.fencingToken()).hasValue(second);
  }

  @Test
  @DisplayName("R47 what remains of a hold is positive and under its ttl")
  default void remainingIsWithinTheTtl() {
    Scene scene = scene();
    Lease lease = scene.held(N1);

    scene.always(
        scene.ttl(),
        "some of the ttl remains",
        () -> {
          long remaining = lease.remaining().toNanos();
          return remaining > 0 && remaining < scene.ttl().toNanos();
        });
  }

  /** One renewal, at the smallest interval, serves all. */
  @Test
  @DisplayName("R48 a node keeps leases of different ttls and intervals side by side")
  default void leasesOfDifferentTtlsAreKept() {
    Scene scene = scene();
    LeaseSettings base = scene.settings(N1);
    List<Lease> leases =
        IntStream.range(1, 6)
            .mapToObj(
                i ->
                    base.withName(scene.name() + "/" + i)
                        .withTtl(scene.ttls(i))
                        .withRenewalInterval(scene.ttls(i).dividedBy(2)))
            .map(settings -> scene.cluster().node(N1).lease(settings))
            .toList();
    leases.forEach(scene::hold);

    scene.always(
        scene.ttls(1.5), "all are held", () -> leases.stream().allMatch(Lease::checkAlive));

    scene.release(leases.get(0));
    assertThat(leases.subList(1, 5)).allMatch(Lease::checkAlive);
  }
}
