package io.leasehold.bench.peers;

import io.leasehold.bench.load.Competitor;
import io.leasehold.bench.load.LoadTarget;
import java.nio.file.Path;

/**
 * etcd in three processes, as the operating system packages it, with jetcd as the client in this
 * process.
 */
public final class EtcdCompetitor implements Competitor {

  @Override
  public String name() {
    return "etcd";
  }

  @Override
  public LoadTarget start(Path folder) {
    EtcdServers servers = EtcdServers.start(folder);
    try {
      return EtcdTarget.connect(name(), servers);
    } catch (RuntimeException e) {
      servers.close();
      throw e;
    }
  }
}
