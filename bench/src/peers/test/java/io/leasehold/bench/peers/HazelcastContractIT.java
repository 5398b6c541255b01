package io.leasehold.bench.peers;

import java.util.Map;

/** The contract on Hazelcast. */
final class HazelcastContractIT extends PeerContract {

  HazelcastContractIT() {
    super(HazelcastStore::start, Map.of());
  }
}
