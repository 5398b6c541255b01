package io.leasehold.bench.peers;

import java.util.Map;

/** The contract on Etcd. */
final class EtcdContractIT extends PeerContract {

  EtcdContractIT() {
    super(EtcdStore::start, Map.of());
  }
}
