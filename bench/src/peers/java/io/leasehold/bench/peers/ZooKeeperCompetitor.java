package io.leasehold.bench.peers;

import io.leasehold.bench.load.Competitor;
import io.leasehold.bench.load.LoadTarget;
import java.nio.file.Path;

/** ZooKeeper in three processes, with Curator as the client in this process. */
public final class ZooKeeperCompetitor implements Competitor {

  @Override
  public String name() {
    return "zookeeper";
  }

  @Override
  public LoadTarget start(Path folder) {
    ZooKeeperServers servers = ZooKeeperServers.start(folder);
    try {
      return ZooKeeperTarget.connect(name(), servers);
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }
}
