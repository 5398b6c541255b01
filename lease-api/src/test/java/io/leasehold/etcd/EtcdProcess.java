package io.leasehold.etcd;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * One etcd process on loopback, as the operating system packages it.
 *
 * @param port for clients
 */
record EtcdProcess(Process process, int port) implements AutoCloseable {

  /** For tests that are skipped where there is none to start. */
  static final String IS_ON_THE_PATH = "io.leasehold.etcd.EtcdProcess#isOnThePath";

  static final String IS_MISSING = "etcd is not on the path";

  static boolean isOnThePath() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "etcd")));
  }

  /** Starts one. */
  static EtcdProcess start(Path folder) {
    int port = freePort();
    String client = "http://127.0.0.1:" + port;
    String peer = "http://127.0.0.1:" + freePort();
    List<String> command =
        List.of(
            "etcd",
            "--name=only",
            "--data-dir=" + folder.resolve("data"),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=only=" + peer,
            // A ttl has to be longer than the election timeout and a half.
            "--heartbeat-interval=50",
            "--election-timeout=500",
            "--log-level=error");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("etcd.log").toFile())
              .start();
      EtcdProcess started = new EtcdProcess(process, port);
      Awaitility.await("etcd listens").atMost(Duration.ofSeconds(30)).until(started::listens);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("etcd does not start", e);
    }
  }

  private boolean listens() {
    try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return probe.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static int freePort() {
    try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return probe.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port", e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    Process unusedEnded = process.onExit().join();
  }
}
