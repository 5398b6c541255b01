package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StartFailuresTest {

  private static StoreConfig config(String host, int port) {
    return StoreConfig.of("c", "n1", List.of(new Member("n1", host, port)), Path.of("folder"));
  }

  @Test
  void portThatSomebodyUsesIsToBeFreed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      assertThatThrownBy(
              () -> StartFailures.requireFreePort(config("127.0.0.1", taken.getLocalPort())))
          .isInstanceOf(StoreStartException.class)
          .hasMessageContaining("port " + taken.getLocalPort())
          .hasMessageContaining("stop who uses it");
    }
  }

  /** The address is one for documents only (RFC 5737), which no machine has. */
  @Test
  void addressOfAnotherMachineIsToBeCorrected() {
    assertThatThrownBy(() -> StartFailures.requireFreePort(config("192.0.2.1", 7_101)))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("192.0.2.1, which is no address of this machine")
        .hasMessageNotContaining("stop who uses it");
  }

  @Test
  void whatStandsInADamagedFileDoesNotReachTheTerminalRaw() {
    IOException damaged = new IOException("'term' not found in {\u001b[2J\u0000\n=}");

    assertThat(StartFailures.explain(config("127.0.0.1", 1), damaged))
        .hasMessageContaining("'term' not found in {?[2J??=}");
  }
}
