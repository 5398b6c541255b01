package io.leasehold.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.http.HttpNodes;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LeasesCommandTest {

  private static final Duration TTL = Duration.ofSeconds(3);

  private final HttpNodes nodes = new HttpNodes();
  private final String http = "--http=" + nodes.address("n1");

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void leasesAreATable() {
    NodeClient.await(nodes.client("n1").acquire("printer", "a", TTL, Duration.ZERO));
    NodeClient.await(nodes.client("n2").acquire("größe", "owner-b", TTL, Duration.ZERO));

    Run run = Run.of("leases", http);

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            LEASE    OWNER    NODE  TOKEN  TTL  REMAINING  WAITERS
            größe    owner-b  n2    2      3s   3.0s       0
            printer  a        n1    1      3s   3.0s       0
            """);
  }

  @Test
  void leasesAreLinesOfJsonOnRequest() {
    NodeClient.await(nodes.client("n1").acquire("printer", "a", TTL, Duration.ZERO));

    Run run = Run.of("leases", http, "--json");

    assertThat(run.out())
        .startsWith("{\"name\":\"printer\",\"holder\":{\"owner\":\"a\",\"node\":\"n1\"}")
        .endsWith("}\n");
  }

  @Test
  void noLeasesIsSaid() {
    assertThat(Run.of("leases", http).out()).isEqualTo("No lease is held.\n");
    assertThat(Run.of("leases", http, "--json").out()).isEmpty();
  }

  @Test
  void leasesHaveColoursOnATerminalAlone() {
    NodeClient.await(nodes.client("n1").acquire("@|red x|@", "a", TTL, Duration.ZERO));

    assertThat(Run.of("leases", http).out()).doesNotContain("\u001b");
    assertThat(Run.onTerminal("leases", http).out()).contains("\u001b[36m@|red x|@\u001b[0m  a ");
    assertThat(Run.onTerminal("leases", http, "--json").out()).doesNotContain("\u001b");
  }
}
