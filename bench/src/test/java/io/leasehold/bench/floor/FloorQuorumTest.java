package io.leasehold.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With followers that acknowledge when the test says so. */
@Timeout(20)
final class FloorQuorumTest {

  @TempDir private Path folder;

  private FloorQuorum quorum;
  private Socket one;
  private Socket other;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocket first = listening();
        ServerSocket second = listening()) {
      quorum =
          FloorQuorum.open(
              folder.resolve("log"), List.of(first.getLocalPort(), second.getLocalPort()));
      one = first.accept();
      other = second.accept();
    }
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void disconnect() throws IOException {
    quorum.close();
    one.close();
    other.close();
  }

  @Test
  void aBatchIsKeptWhenTheFirstFollowerHasItAndNotBefore() throws IOException {
    CompletableFuture<Void> kept = replicate("first");

    assertThat(received(one, 5)).isEqualTo("first");
    assertThat(received(other, 5)).isEqualTo("first");
    assertThat(Files.readString(folder.resolve("log"))).isIn("", "first");
    assertNotDone(kept);
    acknowledge(other);

    kept.join();
    assertThat(Files.readString(folder.resolve("log"))).isEqualTo("first");
  }

  @Test
  void anAcknowledgementOfAnEarlierBatchDoesNotCount() throws IOException {
    CompletableFuture<Void> first = replicate("first");
    acknowledge(one);
    first.join();
    CompletableFuture<Void> second = replicate("second");

    acknowledge(other);
    assertNotDone(second);
    acknowledge(other);

    second.join();
  }

  private CompletableFuture<Void> replicate(String batch) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            quorum.replicate(ByteBuffer.wrap(batch.getBytes(StandardCharsets.US_ASCII)));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static String received(Socket follower, int length) throws IOException {
    return new String(follower.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
  }

  private static void acknowledge(Socket follower) throws IOException {
    follower.getOutputStream().write(0);
  }

  /** That it never ends cannot be seen; this is long for what would end it at once. */
  private static void assertNotDone(CompletableFuture<Void> kept) {
    assertThatThrownBy(() -> kept.get(200, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
  }
}
