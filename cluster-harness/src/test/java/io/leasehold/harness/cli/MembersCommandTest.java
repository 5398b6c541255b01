package io.leasehold.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.http.HttpNodes;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class MembersCommandTest {

  private final HttpNodes nodes = new HttpNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void membersAreATable() {
    String asked = "--http=" + nodes.address("n2");

    assertThat(Run.of("members", asked).out())
        .isEqualTo(
            """
            MEMBER  ADDRESS         ROLE
            n1      127.0.0.1:9001  LEADER
            n2      [::1]:9002      FOLLOWER  this node
            """);
    assertThat(Run.of("members", asked, "--json").out()).startsWith("{\"node\":\"n2\",");
    nodes.setMemberWarning("n2", "n1", "has not answered for 12 s: see that it runs");
    assertThat(Run.of("members", asked).out())
        .contains("LEADER    has not answered for 12 s: see that it runs\n");
    nodes.setStatus("n2", Optional.empty(), Optional.of("the disk is full"));
    assertThat(Run.of("members", asked).out()).contains("-\n", "the disk is full\n");
  }

  @Test
  void whyMembersDoNotChangeIsPassedOn() {
    String asked = "--http=" + nodes.address("n2");

    Run added = Run.of("members", "add", "n4=127.0.0.1:9004", asked);
    Run removed = Run.of("members", "remove", "n9", asked);

    assertThat(added.code()).isEqualTo(1);
    assertThat(added.err())
        .isEqualTo("leasehold members add: n4 does not answer at 127.0.0.1:9004\n");
    assertThat(removed.code()).isEqualTo(1);
    assertThat(removed.err()).contains("must be one of the members: n9");
  }
}
