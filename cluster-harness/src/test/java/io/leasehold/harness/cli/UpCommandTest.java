package io.leasehold.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What keeps {@code up} from starting; nothing is started then. */
final class UpCommandTest {

  @TempDir Path folder;

  @Test
  void portInUseIsToldInOneLine() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Run run = Run.of("up", "--http=" + other.getLocalPort());

      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err())
          .startsWith("leasehold up: cannot listen for HTTP on 127.0.0.1:" + other.getLocalPort())
          .hasLineCount(1);
    }
  }

  @Test
  void folderOfAnotherNumberOfNodesIsRefused() throws IOException {
    Files.writeString(
        folder.resolve("cluster.json"),
        "{\"nodes\":2,\"all\":[13001,13002,13003,13004,13005,13006]}");

    Run run = Run.of("up", "--http=0", "--nodes=3", "--dir=" + folder);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("has a cluster of 2 nodes: say --nodes 2, or give another");
  }

  @Test
  void damagedFolderIsRefused() throws IOException {
    Files.writeString(folder.resolve("cluster.json"), "{\"nodes\":2,\"all\":[1]}");

    Run run = Run.of("up", "--http=0", "--dir=" + folder);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("cluster.json is damaged: delete ").hasLineCount(1);
  }
}
