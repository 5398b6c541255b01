package io.leasehold.bench.peers;

import static io.leasehold.bench.peers.Breach.always;
import static io.leasehold.bench.peers.Breach.sometimes;
import static java.util.Map.entry;

import java.util.Map;

/** The contract on jgroups-raft. */
final class JGroupsContractIT extends PeerContract {

  JGroupsContractIT() {
    super(
        JGroupsStore::start,
        Map.ofEntries(
            entry("R1", always("there is no ttl")),
            entry("R9", always("its client asks once")),
            entry("R17", always("what is not yet held cannot be released")),
            entry("R20", sometimes("calls are not withdrawn")),
            entry("R47", always("there is no ttl")),
            entry("R49", always("there is no ttl")),
            entry("R56", always("there is no ttl")),
            entry("R64", always("a member that closes leaves its locks")),
            entry("R66", always("a member that closes leaves its locks")),
            entry(
                "R69", always("a member that comes back still has its locks, with their numbers")),
            entry("R70", always("a member that comes back still has its locks")),
            entry("R94", always("closing swallows the interrupt"))));
  }
}
