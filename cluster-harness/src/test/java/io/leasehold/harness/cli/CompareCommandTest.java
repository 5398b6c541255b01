package io.leasehold.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.http.HttpNodes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class CompareCommandTest {

  private final HttpNodes nodes = new HttpNodes();
  private final String http = "--http=" + nodes.address("n1");

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void comparedReplicasAreTheSameOrNot() {
    String both = http + "," + nodes.address("n2");

    Run same = Run.of("compare", both);
    assertThat(same.code()).isZero();
    assertThat(same.out())
        .isEqualTo(
            """
            NODE  INDEX  LAST TOKEN  SHA-256
            n1    44     9           same
            n2    44     9           same
            They are the same.
            """);

    nodes.diverged.add("n2");
    Run different = Run.of("compare", both);
    assertThat(different.code()).isEqualTo(1);
    assertThat(different.out()).endsWith("They differ.\n");
    assertThat(Run.of("compare", both, "--json").out())
        .startsWith("{\"node\":\"n1\",\"index\":44,")
        .contains("\n{\"node\":\"n2\",");
  }
}
