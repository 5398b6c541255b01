package io.leasehold.harness.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.EventView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class EventsOverHttpTest {

  private static final Duration TTL = Duration.ofSeconds(3);

  private final HttpNodes nodes = new HttpNodes();
  private final NodeClient n1 = nodes.client("n1");

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void grantsAndReleasesAreTold() {
    List<EventView> seen = new CopyOnWriteArrayList<>();
    read(n1, seen);

    NodeClient.await(nodes.client("n2").acquire("printer", "b", TTL, Duration.ZERO));
    NodeClient.await(nodes.client("n2").release("printer", "b"));

    awaitEvents(seen, 2);
    assertThat(seen.get(0).event()).isEqualTo("granted");
    assertThat(seen.get(0).owner()).isEqualTo("b");
    assertThat(seen.get(0).node()).isEqualTo("n2");
    assertThat(seen.get(0).fencingToken()).isEqualTo(1);
    assertThat(seen.get(1).event()).isEqualTo("released");
  }

  @Test
  void whoHoldsWhatIsToldFirst() {
    NodeClient.await(n1.acquire("printer", "a", TTL, Duration.ZERO));
    List<EventView> seen = new CopyOnWriteArrayList<>();

    read(n1, seen);

    awaitEvents(seen, 1);
    assertThat(seen.get(0).event()).isEqualTo("current");
    assertThat(seen.get(0).owner()).isEqualTo("a");
  }

  @Test
  void lossOfAnOwnerHereIsToldOnceWithItsReason() {
    NodeClient.await(n1.acquire("printer", "a", TTL, Duration.ZERO));
    List<EventView> seen = new CopyOnWriteArrayList<>();
    read(n1, seen);

    NodeClient.await(nodes.client("n2").revoke("printer", null, "for a test", false));
    NodeClient.await(n1.acquire("other", "a", TTL, Duration.ZERO));

    await("the last event").until(() -> seen.stream().anyMatch(e -> "other".equals(e.name())));
    List<EventView> losses = seen.stream().filter(e -> e.event().equals("lost")).toList();
    assertThat(losses).hasSize(1);
    assertThat(losses.get(0).reason()).isEqualTo("REVOKED");
    assertThat(losses.get(0).fencingToken()).isEqualTo(1);
    assertThat(losses.get(0).node()).isEqualTo("n1");
  }

  @Test
  void leaderChangesAreTold() {
    List<EventView> all = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> unused = n1.events(all::add);
    await("the first leader").until(() -> !all.isEmpty());

    nodes.setStatus("n1", Optional.empty(), Optional.empty());
    await("no leader").until(() -> all.size() == 2);
    nodes.setStatus("n1", Optional.of("n2"), Optional.empty());
    await("another leader").until(() -> all.size() == 3);

    assertThat(all).extracting(EventView::event).containsOnly("leader");
    assertThat(all).extracting(EventView::leader).containsExactly("n1", null, "n2");
  }

  @Test
  void slowReaderIsToldHowMuchItMissed() throws IOException {
    HostPort at = nodes.address("n1");
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.connect(new java.net.InetSocketAddress(at.host(), at.port()));
      socket.setSoTimeout(10_000);
      socket
          .getOutputStream()
          .write(
              "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      await("the stream").until(() -> metrics().contains("leasehold_http_streams 1.0"));

      // Nobody reads, and far more is told than the system and the stream keep.
      String name = "a-name-long-enough-to-fill-buffers-soon-" + "x".repeat(400);
      int told = 3 * EventStream.FRAMES_MAX;
      var lease = nodes.cluster.node("n2").lease(io.leasehold.LeaseSettings.of(name, "b", TTL));
      for (int i = 0; i < told; i++) {
        assertThat(lease.acquire().toCompletableFuture()).isCompletedWithValue(true);
        assertThat(lease.release().toCompletableFuture()).isCompleted();
      }
      long granted = 0;
      long missed = 0;
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      while (missed == 0) {
        String line = lines.readLine();
        assertThat(line).isNotNull();
        granted += line.equals("event: granted") || line.equals("event: released") ? 1 : 0;
        if (line.startsWith("data: {\"event\":\"behind\"")) {
          missed = Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }

      // The provider may have told the state anew for some of them; nothing is missed silently.
      assertThat(granted).isGreaterThanOrEqualTo(EventStream.FRAMES_MAX);
      assertThat(missed).isPositive();
      NodeClient.await(n1.acquire("after", "a", TTL, Duration.ZERO));
      String line = lines.readLine();
      while (!line.contains("\"after\"")) {
        line = lines.readLine();
      }
      assertThat(line).contains("\"event\":\"granted\"");
    }
    await("the reader forgotten").until(() -> metrics().contains("leasehold_http_streams 0.0"));
  }

  private void read(NodeClient node, List<EventView> seen) {
    List<EventView> leaders = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> unused =
        node.events(event -> (event.event().equals("leader") ? leaders : seen).add(event));
    await("the stream").until(() -> !leaders.isEmpty());
  }

  private static void awaitEvents(List<EventView> seen, int count) {
    await(count + " events")
        .untilAsserted(() -> assertThat(seen).hasSizeGreaterThanOrEqualTo(count));
  }

  private String metrics() {
    return nodes.send("n1", "GET", "/metrics", "").body();
  }
}
