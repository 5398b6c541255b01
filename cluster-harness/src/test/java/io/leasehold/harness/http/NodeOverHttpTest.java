package io.leasehold.harness.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaseProvider;
import io.leasehold.harness.HostPort;
import io.leasehold.memory.InMemoryLeases;
import io.leasehold.raft.NodeHealth;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class NodeOverHttpTest {

  private final HttpNodes nodes = new HttpNodes();

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void statusIsWrittenAsTheContractSays() {
    assertThat(get("n2", "/status"))
        .isEqualTo(
            "200 {\"node\":\"n2\",\"role\":\"FOLLOWER\",\"leader\":\"n1\",\"term\":3,"
                + "\"appliedIndex\":42,\"leaseTimeNanos\":7000000000,\"members\":["
                + "{\"id\":\"n1\",\"address\":\"127.0.0.1:9001\"},"
                + "{\"id\":\"n2\",\"address\":\"[::1]:9002\"}]}");
  }

  @Test
  void unknownLeaderIsNull() {
    nodes.setStatus("n1", Optional.empty(), Optional.empty());

    assertThat(get("n1", "/status")).contains("\"leader\":null");
  }

  @Test
  void nodeThatIsReadyIsHealthy() {
    assertThat(get("n2", "/health"))
        .isEqualTo("200 {\"node\":\"n2\",\"healthy\":true,\"state\":\"READY\",\"leader\":\"n1\"}");
  }

  @Test
  void nodeThatServesIsHealthyWithAllThatIsWrong() {
    nodes.health.put("n2", NodeHealth.State.DEGRADED);

    assertThat(get("n2", "/health"))
        .isEqualTo(
            "200 {\"node\":\"n2\",\"healthy\":true,\"state\":\"DEGRADED\",\"leader\":\"n1\","
                + "\"warning\":\"the disk is slow: see to it; member n2 is silent: see to it\"}");
  }

  @Test
  void nodeThatDoesNotServeSaysWhy() {
    nodes.health.put("n1", NodeHealth.State.NOT_SERVING);

    assertThat(get("n1", "/health"))
        .isEqualTo(
            "503 {\"error\":\"unavailable\","
                + "\"message\":\"the disk is slow: see to it; member n2 is silent: see to it\"}");
  }

  @Test
  void statusSaysWhyAStoreHasFailedAndWhatIsWrongWithOthers() {
    nodes.setStatus("n1", Optional.of("n1"), Optional.of("the disk is full"));
    nodes.setMemberWarning("n1", "n2", "has not answered for 12 s: see that it runs");

    assertThat(get("n1", "/status"))
        .contains("\"failure\":\"the disk is full\"")
        .contains(
            "{\"id\":\"n2\",\"address\":\"[::1]:9002\","
                + "\"warning\":\"has not answered for 12 s: see that it runs\"}");
  }

  @Test
  void leadershipIsTransferred() {
    assertThat(post("n1", "/transfer", "{\"to\":\"n2\"}"))
        .isEqualTo("200 {\"transferred\":true,\"leader\":\"n2\"}");
    nodes.unwilling.add("n1");
    assertThat(post("n1", "/transfer", "{\"to\":\"n1\"}"))
        .isEqualTo("200 {\"transferred\":false,\"leader\":\"n2\"}");
    nodes.unable.add("n1");
    assertThat(post("n1", "/transfer", "{\"to\":\"n1\"}"))
        .isEqualTo("503 {\"error\":\"unavailable\",\"message\":\"member n1 does not answer\"}");
  }

  @Test
  void digestIsOfTheEntryThatIsAskedForOrOfALaterOne() {
    assertThat(get("n2", "/digest?at=77"))
        .isEqualTo(
            "200 {\"node\":\"n2\",\"index\":77,\"leaseTimeNanos\":7,\"lastToken\":9,\"sha256\":\"same\"}");
    assertThat(get("n2", "/digest")).contains("\"index\":42,");
    assertThat(get("n2", "/digest?at=-1")).startsWith("400 ").contains("\"field\":\"at\"");
  }

  @Test
  void snapshotSaysItsIndex() {
    assertThat(post("n2", "/snapshot", "")).isEqualTo("200 {\"node\":\"n2\",\"index\":41}");
    nodes.unable.add("n2");
    assertThat(post("n2", "/snapshot", "")).startsWith("503 {\"error\":\"unavailable\"");
  }

  @Test
  void metricsAreThereFromTheStart() {
    HttpResponse<String> response = nodes.send("n1", "GET", "/metrics", "");

    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/plain; version=0.0.4");
    assertThat(response.body())
        .contains("leasehold_http_acquires_total{outcome=\"granted\"} 0.0")
        .contains("leasehold_http_losses_total{reason=\"taken-over\"} 0.0")
        .contains("leasehold_http_held 0.0");
  }

  @Test
  void nodeThatIsShuttingDownIsUnavailable() {
    nodes.cluster.node("n1").close();

    HttpResponse<String> response =
        nodes.send("n1", "POST", "/leases/x/acquire", "{\"owner\":\"a\",\"ttl\":\"3s\"}");

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body()).contains("\"error\":\"unavailable\"");
  }

  @Test
  void takenPortIsOneSentence() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(HostPort.LOOPBACK));
        LeaseProvider leases = InMemoryLeases.create()) {
      HostPort at = new HostPort(HostPort.LOOPBACK, taken.getLocalPort());

      assertThatThrownBy(
              () ->
                  NodeHttp.start(
                      at,
                      HttpAccess.of(at, Optional.empty()),
                      "n1",
                      leases,
                      nodes.control("n1"),
                      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)))
          .isInstanceOf(HttpStartException.class)
          .hasMessageContaining(at.toString())
          .hasMessageContaining("--http")
          .hasMessageNotContaining("\n");
    }
  }

  private String post(String node, String path, String body) {
    HttpResponse<String> response = nodes.send(node, "POST", path, body);
    return response.statusCode() + " " + response.body();
  }

  private String get(String node, String path) {
    HttpResponse<String> response = nodes.send(node, "GET", path, "");
    return response.statusCode() + " " + response.body();
  }
}
