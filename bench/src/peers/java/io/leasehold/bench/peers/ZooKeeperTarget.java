package io.leasehold.bench.peers;

import io.leasehold.bench.load.Contender;
import io.leasehold.bench.load.LoadTarget;
import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;

/** A client of three ZooKeeper processes, whose one session has all its nodes. */
final class ZooKeeperTarget implements LoadTarget {

  private static final Duration SESSION = Duration.ofSeconds(10);

  private final String name;
  private final ZooKeeperServers servers;
  private final CuratorFramework client;

  private ZooKeeperTarget(String name, ZooKeeperServers servers, CuratorFramework client) {
    this.name = name;
    this.servers = servers;
    this.client = client;
  }

  static ZooKeeperTarget connect(String name, ZooKeeperServers servers) {
    return new ZooKeeperTarget(
        name, servers, ZooKeeperClient.connect(servers.connectString(), SESSION));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Contender contender(String lease, String owner) {
    return new ZooKeeperContender(client, lease, owner);
  }

  @Override
  public List<Long> pids() {
    return servers.processes().pids();
  }

  @Override
  public void close() {
    client.close();
    servers.close();
  }
}
