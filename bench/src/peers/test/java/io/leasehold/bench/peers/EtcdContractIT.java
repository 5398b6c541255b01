package io.leasehold.bench.peers;

import static io.leasehold.bench.peers.Breach.always;
import static io.leasehold.bench.peers.Breach.sometimes;
import static java.util.Map.entry;

import java.util.Map;

/** The contract on etcd. */
final class EtcdContractIT extends PeerContract {

  EtcdContractIT() {
    super(
        EtcdStore::start,
        Map.ofEntries(
            entry("R1", always("its client does not say what remains")),
            entry("R9", always("its client asks once")),
            entry("R10", always("each call is an attempt of its own")),
            entry("R17", always("what is not yet held cannot be released")),
            entry("R18", sometimes("calls on one key have no order")),
            entry("R20", sometimes("calls on one key have no order, and are not withdrawn")),
            entry("R47", always("its client does not say what remains")),
            entry(
                "R50",
                sometimes("its client counts the ttl from an answer, and looks once a second")),
            entry(
                "R54", always("an etcd lease that ran out is over, and its client makes no other")),
            entry(
                "R55",
                sometimes("its client counts the ttl from an answer, and looks once a second")),
            entry("R56", always("a client's keys share one etcd lease, so one ttl")),
            entry("R57", always("calls have no deadline")),
            entry("R58", always("calls have no deadline")),
            entry("R68", always("a client that closes tells no loss")),
            entry("R93", always("what is not yet held cannot be released"))));
  }
}
