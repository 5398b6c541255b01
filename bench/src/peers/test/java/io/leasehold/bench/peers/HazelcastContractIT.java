package io.leasehold.bench.peers;

import static io.leasehold.bench.peers.Breach.always;
import static io.leasehold.bench.peers.Breach.sometimes;
import static java.util.Map.entry;

import java.util.Map;

/** The contract on Hazelcast's CP subsystem. */
final class HazelcastContractIT extends PeerContract {

  HazelcastContractIT() {
    super(
        HazelcastStore::start,
        Map.ofEntries(
            entry("R1", always("its client does not say what remains")),
            entry("R9", always("its client asks once")),
            entry("R10", always("a lock that was acquired twice has to be released twice")),
            entry("R17", always("what is not yet held cannot be released")),
            entry("R20", sometimes("calls are not withdrawn")),
            entry("R47", always("its client does not say what remains")),
            entry("R56", always("a session has one ttl")),
            entry("R90", always("blanks at the end of a name are cut off")),
            entry("R94", sometimes("closing on an interrupted thread may leave the locks"))));
  }
}
