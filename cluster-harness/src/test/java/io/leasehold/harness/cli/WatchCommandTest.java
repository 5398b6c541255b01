package io.leasehold.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.http.HttpNodes;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WatchCommandTest {

  private static final Duration TTL = Duration.ofSeconds(3);

  private final HttpNodes nodes = new HttpNodes();
  private final String http = "--http=" + nodes.address("n1");

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void watchPrintsALineForEachEventUntilTheNodeEnds() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(() -> Run.execute(out, err, "watch", http, "printer"));
    await("the first line").until(() -> out.toString().contains("n1 leads, term 3"));

    NodeClient.await(nodes.client("n2").acquire("other", "b", TTL, Duration.ZERO));
    NodeClient.await(nodes.client("n1").acquire("printer", "a", TTL, Duration.ZERO));
    NodeClient.await(nodes.client("n2").revoke("printer", null, "for a test", false));
    await("the last line").until(() -> out.toString().contains("lost by"));
    nodes.close();

    assertThat(code).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(1);
    assertThat(out.toString().lines().map(line -> line.replaceAll("^[0-9:.]+  ", "")))
        .contains(
            "\"printer\" granted to a on n1, token 2", "\"printer\" revoked from a on n1, token 2")
        .anyMatch(line -> line.startsWith("\"printer\" lost by a on n1, token 2: REVOKED, "))
        .noneMatch(line -> line.contains("other"));
    assertThat(err.toString())
        .isEqualTo("leasehold watch: the node at " + http.substring(7) + " has ended the stream\n");
  }

  @Test
  void watchPrintsJsonOnRequest() {
    StringWriter out = new StringWriter();
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(
            () -> Run.execute(out, new StringWriter(), "watch", http, "--json"));
    await("the first line").until(() -> out.toString().contains("\n"));
    nodes.close();

    assertThat(code).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(1);
    assertThat(out.toString()).startsWith("{\"event\":\"leader\",\"leader\":\"n1\",\"term\":3}\n");
  }
}
