package io.leasehold.bench.peers;

import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.contract.ContractCluster.Capability;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;

/** Three ZooKeeper servers, each node a Curator client with one session. */
record ZooKeeperStore(ZooKeeperServers servers) implements PeerStore {

  /** The shortest session at ZooKeeper's default tick. */
  private static final Duration SESSION = Duration.ofSeconds(4);

  static ZooKeeperStore start(WorkFolder folder) {
    return new ZooKeeperStore(ZooKeeperServers.start(folder.path()));
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.CRASH, Capability.DISCONNECT, Capability.STORE_WIDE_TOKENS);
  }

  @Override
  public Duration ttl() {
    return SESSION;
  }

  @Override
  public PeerNode open(String name, Runnable onLoss) {
    String server = servers.connectString().split(",")[0];
    CuttableLink link =
        CuttableLink.to(Integer.parseInt(server.substring(server.indexOf(':') + 1)));
    CuratorFramework client = ZooKeeperClient.connect(link.address(), SESSION);
    client
        .getConnectionStateListenable()
        .addListener(
            (sender, state) -> {
              if (!state.isConnected()) {
                onLoss.run();
              }
            });
    return new Node(link, client);
  }

  @Override
  public void close() {
    servers.close();
  }

  private record Node(CuttableLink link, CuratorFramework client) implements PeerNode {

    @Override
    public NumberedContender contender(String name, String owner) {
      return new ZooKeeperContender(client, name, owner);
    }

    @Override
    public void disconnect() {
      link.cut();
    }

    @Override
    public void reconnect() {
      link.mend();
    }

    /** The cut stays, and what the client says in its end is lost. */
    @Override
    public void crash() {
      link.cut();
      link.close();
      client.close();
    }

    @Override
    public void close() {
      client.close();
      link.close();
    }
  }
}
