package io.leasehold.harness.chaos.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a link does to a connection that goes through it. */
class RelayTest {

  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int LIMIT_MILLIS = 20_000;
  private static final int SILENCE_MILLIS = 150;

  private ServerSocket server;
  private Relay relay;
  private Socket near;
  private Socket far;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 10, LOOPBACK);
    relay =
        Relay.open(
            new InetSocketAddress(LOOPBACK, 0),
            new InetSocketAddress(LOOPBACK, server.getLocalPort()));
    near = new Socket(LOOPBACK, relay.port());
    far = server.accept();
    near.setSoTimeout(LIMIT_MILLIS);
    far.setSoTimeout(LIMIT_MILLIS);
  }

  @AfterEach
  void close() throws IOException {
    near.close();
    far.close();
    relay.close();
    server.close();
  }

  @Test
  void passesOnBothWaysAndTheEnd() throws IOException {
    send(near, 1);
    send(far, 2);

    assertThat(far.getInputStream().read()).isEqualTo(1);
    assertThat(near.getInputStream().read()).isEqualTo(2);
    near.shutdownOutput();
    assertThat(far.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void delaysAndKeepsTheOrder() throws IOException {
    relay.impose("d", LinkCondition.parse("delay 300"));
    long before = System.nanoTime();

    send(near, 1);
    send(near, 2);

    assertThat(far.getInputStream().read()).isEqualTo(1);
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(300_000_000L);
    assertThat(far.getInputStream().read()).isEqualTo(2);
  }

  @Test
  void stallsOneWayUntilItIsLifted() throws IOException {
    relay.impose("s", LinkCondition.parse("stall forward"));
    send(near, 1);
    send(far, 2);

    assertThat(near.getInputStream().read()).isEqualTo(2);
    assertSilent(far);
    relay.lift("s");
    assertThat(far.getInputStream().read()).isEqualTo(1);
  }

  @Test
  void stallsForAsLongAsOneOfTwoLasts() throws IOException {
    relay.impose("one", LinkCondition.parse("stall both"));
    relay.impose("other", LinkCondition.parse("stall both"));
    send(near, 1);

    relay.lift("one");
    assertSilent(far);
    relay.lift("other");
    assertThat(far.getInputStream().read()).isEqualTo(1);
  }

  @Test
  void letsOnlySoMuchThroughInATime() throws IOException {
    relay.impose("r", LinkCondition.parse("rate 10000"));
    long before = System.nanoTime();

    near.getOutputStream().write(new byte[3_000]);
    send(near, 1);
    near.shutdownOutput();
    assertThat(far.getInputStream().readAllBytes()).hasSize(3_001);

    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(250_000_000L);
  }

  @Test
  void refusesByResets() throws IOException {
    relay.impose("x", LinkCondition.parse("refuse"));

    assertThatThrownBy(() -> near.getInputStream().read()).isInstanceOf(IOException.class);
    try (Socket again = new Socket(LOOPBACK, relay.port())) {
      again.setSoTimeout(LIMIT_MILLIS);
      assertThatThrownBy(() -> again.getInputStream().read()).isInstanceOf(IOException.class);
    } catch (IOException refusedAtOnce) {
      assertThat(refusedAtOnce).isNotInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void halfClosedConnectionGoesOnTheOtherWay() throws IOException {
    relay.halfClose();

    assertThat(near.getInputStream().read()).isEqualTo(-1);
    send(near, 1);
    assertThat(far.getInputStream().read()).isEqualTo(1);
  }

  @Test
  void unknownConditionIsRefused() {
    assertThatThrownBy(() -> LinkCondition.parse("earthquake"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("earthquake");
  }

  private static void send(Socket socket, int value) throws IOException {
    socket.getOutputStream().write(value);
  }

  private static void assertSilent(Socket socket) throws IOException {
    socket.setSoTimeout(SILENCE_MILLIS);
    assertThatThrownBy(() -> socket.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout(LIMIT_MILLIS);
  }
}
