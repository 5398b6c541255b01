package io.leasehold.raft.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaseSettings;
import io.leasehold.raft.RaftLeasesConfig;
import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

final class LeaseholdPropertiesTest {

  private static final List<Member> MEMBERS = Member.parseAll("n1=10.0.0.1:7101,n2=10.0.0.2:7101");
  private static final Path DIR = Path.of("/data/n1");

  private static LeaseholdProperties with(Map<String, String> more) {
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "leasehold.cluster", "shop",
                "leasehold.id", "n1",
                "leasehold.members", "n1=10.0.0.1:7101, n2=10.0.0.2:7101",
                "leasehold.dir", DIR.toString()));
    all.putAll(more);
    return new Binder(new MapConfigurationPropertySource(all))
        .bind("leasehold", LeaseholdProperties.class)
        .get();
  }

  @Test
  void whatIsNotSetIsAsInTheApi() {
    LeaseholdProperties properties = with(Map.of());

    assertThat(properties.config()).isEqualTo(RaftLeasesConfig.of("shop", "n1", MEMBERS, DIR));
    assertThat(properties.lockSettings())
        .isEqualTo(LeaseSettings.of("locks/", "n1", Duration.ofSeconds(10)));
  }

  @Test
  void everyPropertyGetsToItsPlace() {
    LeaseholdProperties properties =
        with(
            Map.ofEntries(
                Map.entry("leasehold.bind-host", "0.0.0.0"),
                Map.entry("leasehold.insecure-network", "true"),
                Map.entry("leasehold.tls.key", "/tls/key.pem"),
                Map.entry("leasehold.tls.certificates", "/tls/chain.pem"),
                Map.entry("leasehold.tls.trusted", "/tls/ca.pem"),
                Map.entry("leasehold.listener", "true"),
                Map.entry("leasehold.margin", "0.3"),
                Map.entry("leasehold.request-timeout", "4s"),
                Map.entry("leasehold.session-ttl", "1m"),
                Map.entry("leasehold.close-timeout", "250ms"),
                Map.entry("leasehold.election-timeout-min", "300ms"),
                Map.entry("leasehold.election-timeout-max", "600ms"),
                Map.entry("leasehold.locks.prefix", "app:"),
                Map.entry("leasehold.locks.owner", "pod-7"),
                Map.entry("leasehold.locks.ttl", "3s")));

    StoreConfig store =
        StoreConfig.of("shop", "n1", MEMBERS, DIR)
            .withBindHost("0.0.0.0")
            .withElectionTimeout(Duration.ofMillis(300), Duration.ofMillis(600))
            .withInsecureNetwork()
            .withTls(
                new TlsFiles(
                    Path.of("/tls/key.pem"), Path.of("/tls/chain.pem"), Path.of("/tls/ca.pem")))
            .asListener();
    assertThat(properties.config())
        .isEqualTo(
            RaftLeasesConfig.of("shop", "n1", MEMBERS, DIR)
                .withStore(store)
                .withMargin(0.3)
                .withRequestTimeout(Duration.ofSeconds(4))
                .withSessionTtl(Duration.ofMinutes(1))
                .withCloseTimeout(Duration.ofMillis(250)));
    assertThat(properties.lockSettings())
        .isEqualTo(LeaseSettings.of("app:", "pod-7", Duration.ofSeconds(3)));
  }

  @Test
  void whatIsMissingIsNamed() {
    assertMissing("cluster", "the cluster's name, the same on all its members");
    assertMissing("id", "which of leasehold.members this node is");
    assertMissing("members", "all of them, as n1=host:port,n2=host:port,n3=host:port");
    assertMissing("dir", "the folder for this node's state, on a disk that stays");
    assertThatThrownBy(() -> with(Map.of("leasehold.tls.key", "/tls/key.pem")).config())
        .hasMessageStartingWith("The property leasehold.tls.certificates must be set");
    assertThatThrownBy(() -> with(Map.of("leasehold.id", "")).lockSettings())
        .hasMessage("The property leasehold.id must be set: the owner of this node's locks");
  }

  private static void assertMissing(String name, String meaning) {
    assertThatThrownBy(() -> with(Map.of("leasehold." + name, "")).config())
        .isInstanceOf(LeaseholdPropertyException.class)
        .hasMessage("The property leasehold.%s must be set: %s", name, meaning);
  }

  @Test
  void valueThatIsRefusedIsToldWithTheReason() {
    assertThatThrownBy(() -> with(Map.of("leasehold.members", "n1@host")).config())
        .isInstanceOf(LeaseholdPropertyException.class)
        .hasMessageStartingWith("The properties leasehold.members are refused: a member is written")
        .hasMessageContaining("'n1@host'");
    assertThatThrownBy(() -> with(Map.of("leasehold.id", "n9")).config())
        .hasMessageEndingWith("nodeId must be one of the members [n1, n2]: n9");
    assertThatThrownBy(() -> with(Map.of("leasehold.margin", "2")).config())
        .hasMessage("The properties leasehold.* are refused: margin must be from 0.01 to 0.9: 2.0");
    assertThatThrownBy(() -> with(Map.of("leasehold.locks.ttl", "1ms")).lockSettings())
        .hasMessageStartingWith(
            "The properties leasehold.locks.* are refused: ttl must be between");
  }

  /** Editors complete and explain them. */
  @Test
  void everyPropertyIsDescribed() throws IOException {
    String metadata = metadata();

    List<String> names =
        Arrays.stream(LeaseholdProperties.class.getRecordComponents())
            .map(
                component ->
                    component.getName().replaceAll("(\\p{Upper})", "-$1").toLowerCase(Locale.ROOT))
            .filter(name -> !name.equals("locks") && !name.equals("tls"))
            .toList();
    assertThat(names)
        .hasSize(13)
        .allSatisfy(name -> assertThat(metadata).contains("\"leasehold." + name + "\""));
    assertThat(metadata)
        .contains(
            "\"leasehold.enabled\"",
            "\"leasehold.locks.ttl\"",
            "\"leasehold.tls.key\"",
            "Which of the members")
        .contains("\"management.health.leasehold.enabled\"");
  }

  private static String metadata() throws IOException {
    String name = "/META-INF/spring-configuration-metadata.json";
    try (InputStream stream = LeaseholdProperties.class.getResourceAsStream(name)) {
      assertThat(stream).as(name).isNotNull();
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
