package io.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.leasehold.LeaseSettings;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.pekko.coordination.lease.TimeoutSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of Pekko's settings, and what is refused. */
final class PekkoSettingsTest {

  private static final String SINGLETON = "shop-singleton-pekko://shop/user/orders";
  private static final String NODE = "shop@10.0.0.1:17355";
  private static final Config SYSTEM = ConfigFactory.load();

  private static org.apache.pekko.coordination.lease.LeaseSettings pekko(
      String name, String owner, String config) {
    return org.apache.pekko.coordination.lease.LeaseSettings.apply(
        ConfigFactory.parseString(config)
            .withFallback(SYSTEM.getConfig("leasehold.pekko"))
            .withFallback(SYSTEM.getConfig("pekko.coordination.lease")),
        name,
        owner);
  }

  private static PekkoSettings settings(String name, String owner, String config) {
    return PekkoSettings.of(pekko(name, owner, config), SYSTEM);
  }

  @Test
  void defaultsArePekkosWithReclaimAndAShortWait() {
    assertThat(settings(SINGLETON, NODE, ""))
        .isEqualTo(
            new PekkoSettings(
                LeaseSettings.of(SINGLETON, NODE, Duration.ofMinutes(2))
                    .withRenewalInterval(Duration.ofSeconds(12))
                    .withReclaim(true),
                Duration.ofSeconds(1),
                Duration.ofSeconds(5)));
  }

  @Test
  void everySettingCanBeChanged() {
    assertThat(
            settings(
                SINGLETON,
                NODE,
                """
                heartbeat-timeout = 20s
                heartbeat-interval = 2s
                lease-operation-timeout = 3s
                reclaim = off
                acquire-wait = 0s
                """))
        .isEqualTo(
            new PekkoSettings(
                LeaseSettings.of(SINGLETON, NODE, Duration.ofSeconds(20))
                    .withRenewalInterval(Duration.ofSeconds(2)),
                Duration.ZERO,
                Duration.ofSeconds(3)));
  }

  @Test
  void pathOfOnesOwnNeedsOnlyTheClass() {
    Config own =
        ConfigFactory.parseString("lease-class = \"io.leasehold.pekko.PekkoLease\"")
            .withFallback(SYSTEM.getConfig("pekko.coordination.lease"));

    PekkoSettings settings =
        PekkoSettings.of(
            org.apache.pekko.coordination.lease.LeaseSettings.apply(own, SINGLETON, NODE), SYSTEM);

    assertThat(settings).isEqualTo(settings(SINGLETON, NODE, ""));
  }

  @Test
  void pathOfOnesOwnMayBeBasedOnOurs() {
    Config system =
        ConfigFactory.load(
            ConfigFactory.parseString(
                "singleton-lease = ${leasehold.pekko} { heartbeat-timeout = 30s, reclaim = off }"));
    Config own =
        system
            .getConfig("singleton-lease")
            .withFallback(system.getConfig("pekko.coordination.lease"));

    LeaseSettings settings =
        PekkoSettings.of(
                org.apache.pekko.coordination.lease.LeaseSettings.apply(own, SINGLETON, NODE),
                system)
            .lease();

    assertThat(own.getString("lease-class")).isEqualTo(PekkoLease.class.getName());
    assertThat(settings)
        .isEqualTo(
            LeaseSettings.of(SINGLETON, NODE, Duration.ofSeconds(30))
                .withRenewalInterval(Duration.ofSeconds(12)));
  }

  @Test
  void namesAreTakenAsTheyAreUpToTheLimit() {
    String name = SINGLETON + "/$a/%C3%BC:" + "n".repeat(512 - SINGLETON.length() - 11);
    String owner = NODE + "o".repeat(256 - NODE.length());

    LeaseSettings settings = settings(name, owner, "").lease();

    assertThat(settings.name()).isEqualTo(name).hasSize(512);
    assertThat(settings.owner()).isEqualTo(owner);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        argumentSet("a name of 513 bytes", "n".repeat(513), NODE, "", "name must have at most 512"),
        argumentSet("an owner of 257 bytes", "a", "o".repeat(257), "", "owner must have at most"),
        argumentSet("a line end in a shard's id", "shop-shard-a\nb", NODE, "", "name must not"),
        argumentSet("a ttl of 99 ms", "a", NODE, timeouts("99ms", "10ms"), "ttl must be between"),
        argumentSet("a ttl of 25 h", "a", NODE, timeouts("25h", "1h"), "ttl must be between"),
        argumentSet("an interval of 9 ms", "a", NODE, timeouts("1s", "9ms"), "renewalInterval"),
        argumentSet("half the ttl", "a", NODE, timeouts("10s", "5s"), "heartbeat-interval must be"),
        argumentSet(
            "a wait as long as an operation", "a", NODE, "acquire-wait = 5s", "of 5 s: 5 s"),
        argumentSet("a negative wait", "a", NODE, "acquire-wait = -1ms", "at least 0"));
  }

  private static String timeouts(String timeout, String interval) {
    return "heartbeat-timeout = %s%nheartbeat-interval = %s".formatted(timeout, interval);
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatIsOutsideItsLimitsIsRefused(String name, String owner, String config, String message) {
    assertThatThrownBy(() -> settings(name, owner, config))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void intervalThatPekkoDoesNotCheckIsRefusedInItsWords() {
    org.apache.pekko.coordination.lease.LeaseSettings defaults = pekko("a", NODE, "");
    TimeoutSettings shorter =
        defaults.timeoutSettings().withHeartbeatTimeout(Duration.ofSeconds(23));

    assertThatThrownBy(() -> PekkoSettings.of(defaults.withTimeoutSettings(shorter), SYSTEM))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "lease 'a' of '%s', heartbeat-interval: renewalInterval must be at least 10 ms and at"
                + " most half the ttl of 23 s: 12 s",
            NODE);
  }
}
