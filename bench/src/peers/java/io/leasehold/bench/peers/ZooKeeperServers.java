package io.leasehold.bench.peers;

import io.leasehold.harness.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Three ZooKeeper processes on loopback with their defaults, so with their logs synced to disk. */
record ZooKeeperServers(String connectString, PeerProcesses processes) implements AutoCloseable {

  private static final int MEMBERS = 3;

  static ZooKeeperServers start(Path folder) {
    List<Integer> ports = FreePorts.find(3 * MEMBERS);
    List<String> addresses = new ArrayList<>();
    List<String> ensemble = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      addresses.add("127.0.0.1:" + ports.get(i));
      ensemble.add(
          "server.%d=127.0.0.1:%d:%d"
              .formatted(i + 1, ports.get(MEMBERS + i), ports.get(2 * MEMBERS + i)));
    }
    ZooKeeperServers servers =
        new ZooKeeperServers(String.join(",", addresses), new PeerProcesses(folder));
    try {
      for (int i = 0; i < MEMBERS; i++) {
        Path settings = write(folder, i + 1, ports.get(i), ensemble);
        servers.processes.startJava(
            "zk" + (i + 1), ZooKeeperMember.class, List.of(settings.toString()));
      }
      return servers;
    } catch (IOException e) {
      servers.close();
      throw new UncheckedIOException("cannot write ZooKeeper's settings", e);
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }

  /** Writes what ZooKeeper's own sample has, but no web server for administrators. */
  private static Path write(Path folder, int id, int port, List<String> ensemble)
      throws IOException {
    Path data = Files.createDirectory(folder.resolve("zk" + id));
    Files.writeString(data.resolve("myid"), Integer.toString(id));
    List<String> lines = new ArrayList<>(ensemble);
    lines.addAll(
        List.of(
            "tickTime=2000",
            "initLimit=10",
            "syncLimit=5",
            "dataDir=" + data,
            "clientPort=" + port,
            "clientPortAddress=127.0.0.1",
            "admin.enableServer=false"));
    return Files.write(folder.resolve("zk" + id + ".cfg"), lines);
  }

  @Override
  public void close() {
    processes.close();
  }
}
