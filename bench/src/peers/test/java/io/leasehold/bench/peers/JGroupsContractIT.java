package io.leasehold.bench.peers;

import java.util.Map;

/** The contract on JGroups. */
final class JGroupsContractIT extends PeerContract {

  JGroupsContractIT() {
    super(JGroupsStore::start, Map.of());
  }
}
