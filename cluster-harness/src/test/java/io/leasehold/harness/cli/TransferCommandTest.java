package io.leasehold.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.http.HttpNodes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class TransferCommandTest {

  private final HttpNodes nodes = new HttpNodes();
  private final String http = "--http=" + nodes.address("n1");

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void transferSaysWhoLeads() {
    Run named = Run.of("transfer", http, "--to", "n2");
    Run unnamed = Run.of("transfer", http);

    assertThat(named.code()).isZero();
    assertThat(named.out()).isEqualTo("n2 leads the store now.\n");
    assertThat(unnamed.code()).isZero();
    assertThat(unnamed.out()).isEqualTo("n1 leads the store now.\n");
  }

  @Test
  void transferThatDoesNotSucceedFails() {
    nodes.unwilling.add("n2");
    Run unwilling = Run.of("transfer", http, "--to=n2");
    nodes.unable.add("n2");
    Run unable = Run.of("transfer", http);
    Run stranger = Run.of("transfer", http, "--to=n9");
    nodes.setStatus("n1", Optional.empty(), Optional.empty());
    Run leaderless = Run.of("transfer", http);

    assertThat(List.of(unwilling.code(), unable.code(), stranger.code(), leaderless.code()))
        .containsOnly(1);
    assertThat(unwilling.err())
        .isEqualTo("leasehold transfer: n2 has not taken the leadership over in time, n1 leads\n");
    assertThat(unable.err()).isEqualTo("leasehold transfer: member n2 does not answer\n");
    assertThat(stranger.err()).contains("to must be one of the members");
    assertThat(leaderless.err()).contains("no leader is known to n1");
  }

  @Test
  void transferWithNobodyElseFails() {
    nodes.setSoleMember("n1");

    Run run = Run.of("transfer", http);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "leasehold transfer: n1 is the only member: there is nobody to hand the leadership to\n");
  }

  @Test
  void transferAnswersInJsonOnRequest() {
    assertThat(Run.of("transfer", http, "--to=n2", "--json").out())
        .isEqualTo("{\"transferred\":true,\"leader\":\"n2\"}\n");
  }
}
