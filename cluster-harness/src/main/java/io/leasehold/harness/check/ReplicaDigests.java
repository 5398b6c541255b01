package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Digest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * S11: two replicas that have applied the same index have the same table, also after a restart that
 * replayed the log or began with a snapshot.
 */
final class ReplicaDigests implements Check {

  @Override
  public void judge(History history, Findings findings) {
    Map<Long, Digest> byIndex = new HashMap<>();
    for (Digest digest : history.digests()) {
      Digest other = byIndex.putIfAbsent(digest.index(), digest);
      if (other == null) {
        continue;
      }
      if (!other.node().equals(digest.node()) || other.run() != digest.run()) {
        findings.judged(Rule.S11, 1);
      }
      if (!other.digest().equals(digest.digest())) {
        findings.violated(
            Rule.S11,
            "",
            digest.at(),
            "%s and %s differ at index %d".formatted(other.node(), digest.node(), digest.index()),
            List.of(evidence(other), evidence(digest)));
      }
    }
  }

  static Evidence evidence(Digest digest) {
    String text =
        "%s has at index %d lease time %s, last token %d, digest %s"
            .formatted(
                digest.node(),
                digest.index(),
                CallText.seconds(digest.leaseTimeNanos()),
                digest.lastToken(),
                digest.digest());
    return new Evidence("replica", digest.node(), text, digest.before(), digest.at());
  }
}
