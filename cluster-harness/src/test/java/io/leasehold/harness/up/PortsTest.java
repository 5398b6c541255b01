package io.leasehold.harness.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PortsTest {

  @Test
  void everyNodeAndLinkHasAPortOfItsOwn() {
    Ports ports = Ports.find(3);
    List<Integer> used = new ArrayList<>();
    for (int from = 0; from < 3; from++) {
      used.add(ports.member(from));
      used.add(ports.http(from));
      for (int to = 0; to < 3; to++) {
        if (from != to) {
          used.add(ports.link(from, to));
        }
      }
    }

    assertThat(used).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(ports.all());
  }

  @Test
  void portThatSomethingElseUsesIsReplacedAndNoOther() throws IOException {
    Ports ports = Ports.find(2);
    try (ServerSocket other =
        new ServerSocket(ports.http(1), 1, InetAddress.getByName("127.0.0.1"))) {
      Ports now = ports.stillFree();

      assertThat(now.http(1)).isNotEqualTo(other.getLocalPort());
      assertThat(now.all()).doesNotHaveDuplicates();
      assertThat(now.member(0)).isEqualTo(ports.member(0));
      assertThat(now.http(0)).isEqualTo(ports.http(0));
    }
    assertThat(ports.stillFree()).isEqualTo(ports);
  }

  @Test
  void wrongNumberIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Ports(2, List.of(1, 2, 3)));
  }
}
