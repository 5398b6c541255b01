package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Digest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * S12: lease time never falls along the log, and never goes faster than a leader's clock may. A run
 * begins with an empty store, so that at no instant more lease time can have passed than since the
 * run began. A clock that is stepped, such as the wall clock, breaks one or the other.
 *
 * <p>What a history cannot show: how fast lease time went between two entries, for nobody knows
 * when the first was stamped; and that a term has one leader, for a node does not tell its role and
 * its term in one instant. The simulation of lease-raft judges the first on every entry, and both
 * are what Raft and the leader's clock promise each for itself.
 */
final class LeaseTime implements Check {

  @Override
  public void judge(History history, Findings findings) {
    List<Digest> digests = new ArrayList<>(history.digests());
    digests.sort(Comparator.comparingLong(Digest::index));
    double rate = 1 + history.header().parameters().drift();
    Digest before = null;
    for (Digest digest : digests) {
      findings.judged(Rule.S12, 1);
      if (before != null && digest.leaseTimeNanos() < before.leaseTimeNanos()) {
        findings.violated(
            Rule.S12,
            "",
            digest.at(),
            "lease time falls between index %d and %d".formatted(before.index(), digest.index()),
            List.of(ReplicaDigests.evidence(before), ReplicaDigests.evidence(digest)));
      }
      if (digest.leaseTimeNanos() > digest.at() * rate) {
        findings.violated(
            Rule.S12,
            "",
            digest.at(),
            "more lease time has passed by index %d than a clock may make of the whole run"
                .formatted(digest.index()),
            List.of(ReplicaDigests.evidence(digest)));
      }
      before = digest;
    }
  }
}
