package io.leasehold.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.http.HttpNodes;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StatusCommandTest {

  private final HttpNodes nodes = new HttpNodes();
  private final String http = "--http=" + nodes.address("n2");

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void nodeThatServesIsShown() {
    Run run = Run.of("status", http);

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            n2 serves.
              role     FOLLOWER
              leader   n1
              term     3
              applied  42
              members  n1, n2
            """);
    assertThat(Run.onTerminal("status", http).out()).startsWith("\u001b[32mn2 serves.\u001b[0m");
  }

  @Test
  void nodeThatDoesNotServeSaysWhy() {
    nodes.setStatus("n2", Optional.empty(), Optional.of("the disk is full"));

    Run run = Run.of("status", http);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .startsWith("n2 does not serve: this node does not serve any more: the disk is full\n")
        .contains("leader   unknown");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void programsGetALineOfJson() {
    Run well = Run.of("status", http, "--json");
    nodes.setStatus("n2", Optional.empty(), Optional.of("the disk is full"));
    Run ill = Run.of("status", http, "--json");

    assertThat(well.code()).isZero();
    assertThat(well.out())
        .startsWith("{\"node\":\"n2\",\"role\":\"FOLLOWER\",\"leader\":\"n1\",\"term\":3,")
        .endsWith(",\"healthy\":true}\n");
    assertThat(ill.code()).isEqualTo(1);
    assertThat(ill.out()).contains("\"healthy\":false,\"reason\":\"").hasLineCount(1);
  }
}
