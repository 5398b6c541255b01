package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class KeepAliveTest {

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("lease-node-kept"))
        .toList();
  }

  @Test
  void jvmRunsOnUntilItIsClosedAndNotLonger() {
    KeepAlive keepAlive = KeepAlive.start("kept");

    assertThat(threads()).singleElement().matches(thread -> !thread.isDaemon());
    keepAlive.close();
    keepAlive.close();

    assertThat(threads()).isEmpty();
  }
}
