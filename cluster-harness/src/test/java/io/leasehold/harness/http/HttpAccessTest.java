package io.leasehold.harness.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaseProvider;
import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.memory.InMemoryLeases;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may call a node over HTTP, and who not. */
final class HttpAccessTest {

  private static final String TOKEN = "0123456789abcdef";
  private static final Duration TTL = Duration.ofSeconds(3);
  private static final HttpNodes NODES = new HttpNodes();
  private static LeaseProvider leases;
  private static NodeHttp withToken;

  @BeforeAll
  static void start() {
    HostPort any = new HostPort(HostPort.LOOPBACK, 0);
    leases = InMemoryLeases.create();
    withToken =
        NodeHttp.start(
            any,
            HttpAccess.of(any, Optional.of(TOKEN)),
            "n1",
            leases,
            NODES.control("n1"),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
  }

  @AfterAll
  static void close() {
    withToken.close();
    leases.close();
    NODES.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "localhost", "[::1]"})
  void aLoopbackAddressIsCalled(String host) throws IOException {
    assertThat(get("Host: " + host + ":8081\r\n")).contains(" 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "127.0.0.1.evil.example", "10.0.0.1"})
  void aNameThatWasMadeToStandForLoopbackIsRefused(String host) throws IOException {
    assertThat(get("Host: " + host + "\r\n"))
        .contains(" 403 ", "\"field\":\"Host\"")
        .doesNotContain("evil");
  }

  @Test
  void aPageOfAnotherServerIsRefusedAndOneOfTheNodesOwnIsNot() throws IOException {
    assertThat(get("Host: 127.0.0.1:8081\r\nOrigin: http://evil.example\r\n"))
        .contains(" 403 ", "\"field\":\"Origin\"");
    assertThat(get("Host: 127.0.0.1:8081\r\nOrigin: null\r\n")).contains(" 403 ");
    assertThat(get("Host: 127.0.0.1:8081\r\nOrigin: http://127.0.0.1:8081\r\n")).contains(" 200 ");
  }

  private static String get(String headers) throws IOException {
    HostPort at = NODES.address("n1");
    try (Socket socket = new Socket(at.host(), at.port())) {
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              ("GET /status HTTP/1.1\r\n" + headers + "Connection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void withATokenEverybodyLooksAndOnlyWhoKnowsItChanges() {
    NodeClient stranger = NodeClient.of(new HostPort(HostPort.LOOPBACK, withToken.port()));

    assertThat(NodeClient.await(stranger.list())).isEmpty();
    assertRefused(stranger);
    assertRefused(stranger.withToken(TOKEN + "0"));
    assertThat(
            NodeClient.await(stranger.withToken(TOKEN).acquire("printer", "a", TTL, Duration.ZERO))
                .acquired())
        .isTrue();
    assertThatThrownBy(() -> NodeClient.await(stranger.revoke("printer", null, "why", true)))
        .isInstanceOf(NodeCallException.class);
    NodeClient.await(stranger.withToken(TOKEN).release("printer", "a"));
  }

  private static void assertRefused(NodeClient client) {
    assertThatThrownBy(() -> NodeClient.await(client.acquire("printer", "a", TTL, Duration.ZERO)))
        .isInstanceOf(NodeCallException.class)
        .hasMessageContaining("--token-file");
  }

  @Test
  void whoeverListensElsewhereNeedsAToken() {
    HostPort everywhere = new HostPort("0.0.0.0", 8081);

    assertThatThrownBy(() -> HttpAccess.of(everywhere, Optional.empty()))
        .isInstanceOf(HttpStartException.class)
        .hasMessageContaining("--http-token-file");
    assertThat(HttpAccess.of(everywhere, Optional.of(TOKEN))).isNotNull();
  }
}
