package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Digest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** S11: two replicas that have applied the same index have the same table. */
final class ReplicaDigests implements Check {

  @Override
  public void judge(History history, Findings findings) {
    Map<Long, Digest> byIndex = new HashMap<>();
    for (Digest digest : history.digests()) {
      Digest other = byIndex.putIfAbsent(digest.index(), digest);
      if (other == null) {
        continue;
      }
      findings.judged(Rule.S11, 1);
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

  private static Evidence evidence(Digest digest) {
    String text = "%s has digest %s".formatted(digest.node(), digest.digest());
    return new Evidence("replica", digest.node(), text, digest.at(), digest.at());
  }
}
