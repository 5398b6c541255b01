package io.leasehold.bench.peers;

import java.util.Map;

/** The contract on ZooKeeper. */
final class ZooKeeperContractIT extends PeerContract {

  ZooKeeperContractIT() {
    super(ZooKeeperStore::start, Map.of());
  }
}
