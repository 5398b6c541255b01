package io.leasehold.contract;

import static io.leasehold.contract.Scene.N1;
import static io.leasehold.contract.Scene.N2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is accepted, and what is refused before anything is sent. */
@SuppressWarnings("NullAway") // Passes null where it must not be.
public interface InputRules {

  Scene scene();

  private static void assertRefused(String field, String what, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(what)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(field);
  }

  private static void assertAllRefused(
      String field, LeaseSettings base, Map<String, UnaryOperator<LeaseSettings>> rows) {
    rows.forEach(
        (what, change) -> {
          ThrowingCallable call = () -> change.apply(base);
          assertRefused(field, what, call);
          assertThatThrownBy(call)
              .asInstanceOf(
                  org.assertj.core.api.InstanceOfAssertFactories.type(
                      InvalidLeaseArgumentException.class))
              .extracting(InvalidLeaseArgumentException::field)
              .isEqualTo(field);
        });
  }

  /** CASES.md, 91, 92, 94: each just past its limit. */
  @Test
  @DisplayName("R87 settings past a limit are refused, by the name of the field")
  default void badSettingsAreRefused() {
    LeaseSettings base = LeaseSettings.of("printer", "a", Duration.ofSeconds(10));

    assertAllRefused(
        "name",
        base,
        Map.of(
            "null", settings -> settings.withName(null),
            "empty", settings -> settings.withName(""),
            "blank", settings -> settings.withName(" \t "),
            "a control character", settings -> settings.withName("a\u0000b"),
            "a line end", settings -> settings.withName("printer\n"),
            "a half of a surrogate pair", settings -> settings.withName("a\ud83d"),
            "513 bytes", settings -> settings.withName("n".repeat(513)),
            "513 bytes in 257 characters", settings -> settings.withName("é".repeat(256) + "n")));
    assertAllRefused(
        "owner",
        base,
        Map.of(
            "null", settings -> settings.withOwner(null),
            "blank", settings -> settings.withOwner("  "),
            "a control character", settings -> settings.withOwner("a\u007f"),
            "257 bytes", settings -> settings.withOwner("o".repeat(257)),
            "258 bytes in 86 characters", settings -> settings.withOwner("€".repeat(86))));
    assertAllRefused(
        "ttl",
        base,
        Map.of(
            "null", settings -> settings.withTtl(null),
            "zero", settings -> settings.withTtl(Duration.ZERO),
            "negative", settings -> settings.withTtl(Duration.ofSeconds(-10)),
            "1 ns", settings -> settings.withTtl(Duration.ofNanos(1)),
            "99 ms", settings -> settings.withTtl(Duration.ofMillis(99)),
            "24 h and 1 ns", settings -> settings.withTtl(Duration.ofHours(24).plusNanos(1)),
            "292 years", settings -> settings.withTtl(Duration.ofDays(292 * 365)),
            "endless", settings -> settings.withTtl(Duration.ofSeconds(Long.MAX_VALUE))));
    assertAllRefused(
        "renewalInterval",
        base,
        Map.of(
            "null", settings -> settings.withRenewalInterval(null),
            "zero", settings -> settings.withRenewalInterval(Duration.ZERO),
            "1 ns", settings -> settings.withRenewalInterval(Duration.ofNanos(1)),
            "under 10 ms", settings -> settings.withRenewalInterval(Duration.ofNanos(9_999_999)),
            "over half the ttl",
                settings -> settings.withRenewalInterval(Duration.ofSeconds(5).plusNanos(1))));
    assertAllRefused(
        "acquireRetries",
        base,
        Map.of(
            "zero", settings -> settings.withAcquireRetries(0),
            "negative", settings -> settings.withAcquireRetries(-1)));
    assertAllRefused(
        "acquireRetryDelay",
        base,
        Map.of(
            "null", settings -> settings.withAcquireRetryDelay(null),
            "negative", settings -> settings.withAcquireRetryDelay(Duration.ofNanos(-1)),
            "over 24 h",
                settings -> settings.withAcquireRetryDelay(Duration.ofHours(24).plusNanos(1)),
            "endless",
                settings -> settings.withAcquireRetryDelay(Duration.ofSeconds(Long.MAX_VALUE))));
  }

  @Test
  @DisplayName("R88 bad arguments are refused by the call itself")
  default void badArgumentsAreRefused() {
    Scene scene = scene();
    Lease lease = scene.lease(N1);
    LeaseInspector inspector = scene.inspector(N1);

    assertRefused("settings", "no settings", () -> scene.cluster().node(N1).lease(null));
    assertRefused("maxWait", "no wait", () -> lease.acquire(null));
    assertRefused("maxWait", "a negative wait", () -> lease.acquire(Duration.ofNanos(-1)));
    assertRefused("handler", "no handler", () -> lease.onLost(null));
    assertRefused("name", "no name", () -> inspector.find(null));
    assertRefused("name", "a blank name", () -> inspector.find(" "));
    assertRefused("name", "a long name", () -> inspector.watch("n".repeat(513), event -> {}));
    assertRefused("observer", "no observer", () -> inspector.watch("printer", null));
    assertRefused("observer", "no observer", () -> inspector.watchAll(null));
    assertRefused("name", "no name", () -> inspector.revoke(null, 1, "why"));
    assertRefused("reason", "no reason", () -> inspector.revoke("printer", 1, null));
    assertRefused("reason", "no reason", () -> inspector.revokeUnsafely("printer", 1, null));
    assertRefused("reason", "a long one", () -> inspector.revoke("printer", 1, "r".repeat(1_001)));
    assertRefused("reason", "a line end", () -> inspector.revoke("printer", 1, "why\nERROR"));
  }

  @Test
  @DisplayName("R89 values at their limits work")
  default void valuesAtTheirLimitsWork() {
    Scene scene = scene();
    String padding = "é".repeat(256);
    String name = scene.name() + padding.substring((scene.name().length() + 1) / 2);
    String longest = name + "n".repeat(512 - bytes(name));
    LeaseSettings settings =
        LeaseSettings.of(longest, "€".repeat(85) + "o", Duration.ofHours(24))
            .withRenewalInterval(Duration.ofHours(12))
            .withAcquireRetryDelay(Duration.ZERO);
    Lease lease = scene.cluster().node(N1).lease(settings);

    scene.hold(lease);

    assertThat(bytes(longest)).isEqualTo(512);
    assertThat(bytes(settings.owner())).isEqualTo(256);
    assertThat(scene.await("an answer", scene.inspector(N2).find(longest)).orElseThrow().owner())
        .isEqualTo(settings.owner());
    scene.release(lease);
  }

  private static int bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
  }

  @Test
  @DisplayName("R90 names are taken as they are: no folding of case, accents or blanks")
  default void namesAreTakenAsTheyAre() {
    Scene scene = scene();
    List<String> names =
        List.of(
            scene.name() + "/café",
            scene.name() + "/cafe\u0301",
            scene.name() + "/CAFÉ",
            scene.name() + "/café ",
            scene.name() + "/'café';--",
            scene.name() + "/😀");

    List<Lease> leases =
        names.stream()
            .map(name -> scene.cluster().node(N1).lease(scene.settings(N1).withName(name)))
            .toList();
    leases.forEach(scene::hold);

    assertThat(leases).allMatch(Lease::checkAlive);
    for (String name : names) {
      assertThat(scene.await("an answer", scene.inspector(N2).find(name)).orElseThrow().name())
          .isEqualTo(name);
    }
  }

  /** CASES.md, 91: no sum of now and a wait overflows. */
  @Test
  @DisplayName("R91 a wait may be endless")
  default void waitMayBeEndless() {
    Scene scene = scene();
    Lease holder = scene.held(N1);
    Lease waiter = scene.lease(N2);
    CompletableFuture<Boolean> answer =
        waiter.acquire(Duration.ofSeconds(Long.MAX_VALUE)).toCompletableFuture();
    scene.until("it has its place", () -> scene.waiters() == 1);

    scene.release(holder);

    assertThat(scene.await("the hand-over", answer)).isTrue();
  }
}
