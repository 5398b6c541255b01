package io.leasehold.bench.peers;

import io.leasehold.harness.process.FreePorts;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Three etcd processes on loopback with their defaults, so with their logs synced to disk. */
record EtcdServers(List<URI> endpoints, PeerProcesses processes) implements AutoCloseable {

  private static final int MEMBERS = 3;

  static EtcdServers start(Path folder) {
    List<Integer> ports = FreePorts.find(2 * MEMBERS);
    List<URI> endpoints = new ArrayList<>();
    List<String> peers = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      endpoints.add(URI.create(url(ports.get(i))));
      peers.add("m" + i + "=" + url(ports.get(MEMBERS + i)));
    }
    EtcdServers servers = new EtcdServers(List.copyOf(endpoints), new PeerProcesses(folder));
    try {
      for (int i = 0; i < MEMBERS; i++) {
        servers.launch(folder, "m" + i, url(ports.get(i)), url(ports.get(MEMBERS + i)), peers);
      }
      return servers;
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  private void launch(Path folder, String name, String client, String peer, List<String> peers) {
    processes.start(
        name,
        List.of(
            "etcd",
            "--name=" + name,
            "--data-dir=" + folder.resolve(name),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=" + String.join(",", peers),
            "--initial-cluster-state=new",
            "--log-level=error"));
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    processes.close();
  }
}
