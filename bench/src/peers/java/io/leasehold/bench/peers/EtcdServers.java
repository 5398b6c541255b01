package io.leasehold.bench.peers;

import io.leasehold.harness.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Three etcd processes on loopback with their defaults, so with their logs synced to disk. */
final class EtcdServers implements AutoCloseable {

  private static final int MEMBERS = 3;
  private static final long STOP_SECONDS_MAX = 5;

  private final List<URI> endpoints = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();

  private EtcdServers() {}

  static EtcdServers start(Path folder) {
    List<Integer> ports = FreePorts.find(2 * MEMBERS);
    List<String> peers = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      peers.add("m" + i + "=" + url(ports.get(MEMBERS + i)));
    }
    EtcdServers servers = new EtcdServers();
    try {
      for (int i = 0; i < MEMBERS; i++) {
        String client = url(ports.get(i));
        servers.endpoints.add(URI.create(client));
        servers.processes.add(
            launch(folder, "m" + i, client, url(ports.get(MEMBERS + i)), String.join(",", peers)));
      }
      return servers;
    } catch (IOException e) {
      servers.close();
      throw new UncheckedIOException("cannot start etcd; apt-get install etcd-server", e);
    }
  }

  private static Process launch(
      Path folder, String name, String client, String peer, String cluster) throws IOException {
    return new ProcessBuilder(
            "etcd",
            "--name=" + name,
            "--data-dir=" + folder.resolve(name),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=" + cluster,
            "--initial-cluster-state=new",
            "--log-level=error")
        .redirectErrorStream(true)
        .redirectOutput(Redirect.to(folder.resolve(name + ".log").toFile()))
        .start();
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port;
  }

  List<URI> endpoints() {
    return List.copyOf(endpoints);
  }

  List<Long> pids() {
    return processes.stream().map(Process::pid).toList();
  }

  @Override
  public void close() {
    processes.forEach(Process::destroy);
    for (Process process : processes) {
      try {
        if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
