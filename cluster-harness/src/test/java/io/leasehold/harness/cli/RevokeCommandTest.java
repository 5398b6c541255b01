package io.leasehold.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.http.HttpNodes;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RevokeCommandTest {

  private static final Duration TTL = Duration.ofSeconds(3);

  private final HttpNodes nodes = new HttpNodes();
  private final String http = "--http=" + nodes.address("n1");

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void revokeSaysWhatItDid() {
    NodeClient.await(nodes.client("n2").acquire("printer", "b", TTL, Duration.ZERO));

    Run run = Run.of("revoke", "printer", http, "--reason", "for a test");

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith("Revoked \"printer\", token 1, from b on n2. The holder is told");
    assertThat(NodeClient.await(nodes.client("n2").find("printer", "b")).alive()).isFalse();
  }

  @Test
  void unsafeRevokeSaysWhatItMeans() {
    NodeClient.await(nodes.client("n2").acquire("printer", "b", TTL, Duration.ZERO));

    Run run = Run.of("revoke", "printer", http, "--unsafe-now");

    assertThat(run.out()).contains("free at once", "only the fencing token");
  }

  @Test
  void revokeOfNothingFails() {
    Run free = Run.of("revoke", "printer", http);
    NodeClient.await(nodes.client("n2").acquire("printer", "b", TTL, Duration.ZERO));
    Run another = Run.of("revoke", "printer", http, "--token=99");

    assertThat(free.code()).isEqualTo(1);
    assertThat(free.err())
        .isEqualTo("leasehold revoke: \"printer\" is free: there is nothing to revoke\n");
    assertThat(another.code()).isEqualTo(1);
    assertThat(another.err()).contains("no hold of \"printer\" with token 99");
  }

  @Test
  void refusalOfTheNodeIsPassedOn() {
    Run run = Run.of("revoke", "x".repeat(600), http);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("leasehold revoke: name must have at most 512 bytes");
  }

  @Test
  void revokeAnswersInJsonOnRequest() {
    NodeClient.await(nodes.client("n2").acquire("printer", "b", TTL, Duration.ZERO));

    assertThat(Run.of("revoke", "printer", http, "--json").out())
        .isEqualTo("{\"revoked\":true,\"fencingToken\":1}\n");
  }
}
