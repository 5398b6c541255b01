package io.leasehold.bench.peers;

import static io.leasehold.bench.peers.Breach.always;
import static io.leasehold.bench.peers.Breach.sometimes;
import static java.util.Map.entry;

import java.util.Map;

/** The contract on ZooKeeper. */
final class ZooKeeperContractIT extends PeerContract {

  ZooKeeperContractIT() {
    super(
        ZooKeeperStore::start,
        Map.ofEntries(
            entry("R1", always("its client does not say what remains")),
            entry("R9", always("its client asks once")),
            entry("R10", always("each call is an attempt of its own")),
            entry("R17", always("what is not yet held cannot be released")),
            entry("R20", sometimes("calls are not withdrawn")),
            entry("R47", always("its client does not say what remains")),
            entry("R54", always("a session that comes back keeps what its client took for lost")),
            entry("R56", always("a session has one ttl")),
            entry("R57", always("what a call that failed has done after all is not undone")),
            entry("R68", always("a client that closes tells no loss")),
            entry("R93", always("what is not yet held cannot be released")),
            entry("R94", always("closing swallows the interrupt"))));
  }
}
