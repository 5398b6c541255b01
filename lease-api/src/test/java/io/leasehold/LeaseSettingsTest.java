package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings("NullAway") // Passes null where it must not be.
final class LeaseSettingsTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final LeaseSettings BASE = LeaseSettings.of("printer", "a", TTL);

  @Test
  void defaultsAreAThirdOfTheTtlAndThreeAttempts() {
    assertThat(BASE)
        .isEqualTo(
            new LeaseSettings(
                "printer", "a", TTL, TTL.dividedBy(3), 3, Duration.ofMillis(100), false));
  }

  @Test
  void eachChangeLeavesTheRestAsItIs() {
    LeaseSettings changed =
        BASE.withName("scanner")
            .withOwner("b")
            .withTtl(Duration.ofSeconds(30))
            .withRenewalInterval(Duration.ofSeconds(2))
            .withAcquireRetries(5)
            .withAcquireRetryDelay(Duration.ofMillis(7))
            .withReclaim(true);

    assertThat(changed)
        .isEqualTo(
            new LeaseSettings(
                "scanner",
                "b",
                Duration.ofSeconds(30),
                Duration.ofSeconds(2),
                5,
                Duration.ofMillis(7),
                true));
    assertThat(BASE).isEqualTo(LeaseSettings.of("printer", "a", TTL));
  }

  @Test
  void renewalIntervalFollowsANewTtl() {
    LeaseSettings changed =
        BASE.withRenewalInterval(Duration.ofSeconds(5)).withTtl(Duration.ofSeconds(3));

    assertThat(changed.renewalInterval()).isEqualTo(Duration.ofSeconds(1));
  }

  static Stream<Arguments> accepted() {
    return Stream.of(
        argumentSet("512 bytes of name", change(it -> it.withName("n".repeat(512)))),
        argumentSet("256 bytes of owner", change(it -> it.withOwner("o".repeat(256)))),
        argumentSet("ttl of 100 ms", change(it -> it.withTtl(Duration.ofMillis(100)))),
        argumentSet("ttl of 24 h", change(it -> it.withTtl(Duration.ofHours(24)))),
        argumentSet(
            "interval of 10 ms", change(it -> it.withRenewalInterval(Duration.ofMillis(10)))),
        argumentSet("interval of half", change(it -> it.withRenewalInterval(TTL.dividedBy(2)))),
        argumentSet("one attempt", change(it -> it.withAcquireRetries(1))),
        argumentSet("no delay", change(it -> it.withAcquireRetryDelay(Duration.ZERO))));
  }

  @ParameterizedTest
  @MethodSource("accepted")
  void acceptsWhatIsAtALimit(UnaryOperator<LeaseSettings> change) {
    assertThat(change.apply(BASE)).isNotEqualTo(BASE);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        refusal("name", "513 bytes", it -> it.withName("n".repeat(513))),
        refusal("owner", "257 bytes", it -> it.withOwner("o".repeat(257))),
        refusal("ttl", "99.999999 ms", it -> it.withTtl(Duration.ofMillis(100).minusNanos(1))),
        refusal("ttl", "over 24 h", it -> it.withTtl(Duration.ofHours(24).plusNanos(1))),
        refusal("ttl", "null", it -> it.withTtl(null)),
        refusal("ttl", "null from the start", it -> LeaseSettings.of("printer", "a", null)),
        refusal("renewalInterval", "null", it -> it.withRenewalInterval(null)),
        refusal("renewalInterval", "zero", it -> it.withRenewalInterval(Duration.ZERO)),
        refusal("renewalInterval", "under 0", it -> it.withRenewalInterval(Duration.ofNanos(-1))),
        refusal(
            "renewalInterval",
            "over half",
            it -> it.withRenewalInterval(TTL.dividedBy(2).plusNanos(1))),
        refusal("acquireRetries", "zero", it -> it.withAcquireRetries(0)),
        refusal("acquireRetryDelay", "null", it -> it.withAcquireRetryDelay(null)),
        refusal("acquireRetryDelay", "below 0", it -> it.withAcquireRetryDelay(TTL.negated())));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refusesWhatIsPastALimit(String field, UnaryOperator<LeaseSettings> change) {
    assertThatThrownBy(() -> change.apply(BASE))
        .isInstanceOfSatisfying(
            InvalidLeaseArgumentException.class,
            refusal -> assertThat(refusal.field()).isEqualTo(field))
        .hasMessageStartingWith(field + " must");
  }

  @Test
  void messageHasFieldLimitAndValue() {
    assertThatThrownBy(() -> BASE.withTtl(Duration.ofMillis(99)))
        .hasMessage("ttl must be between 100 ms and 24 h: 99 ms");
    assertThatThrownBy(() -> BASE.withRenewalInterval(TTL))
        .hasMessage(
            "renewalInterval must be at least 10 ms and at most half the ttl of 10 s: 10 s");
    assertThatThrownBy(() -> BASE.withAcquireRetries(0))
        .hasMessage("acquireRetries must be at least 1: 0");
  }

  private static Arguments refusal(String field, String what, UnaryOperator<LeaseSettings> change) {
    return argumentSet(field + ": " + what, field, change);
  }

  private static UnaryOperator<LeaseSettings> change(UnaryOperator<LeaseSettings> change) {
    return change;
  }
}
