package io.leasehold.harness.check;

import io.leasehold.harness.check.History.NodeRun;
import io.leasehold.harness.check.history.HistoryEvent.Digest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * S14: a grant that was acknowledged is in every replica, whoever was killed or lost power since:
 * their greatest token is at least as great, as soon as they have had calm time enough to learn of
 * it. That the hold itself is still there shows as S5 and S8: nobody else gets the lease before its
 * time.
 */
final class Durability implements Check {

  @Override
  public void judge(History history, Findings findings) {
    long answer = history.header().parameters().answerNanos();
    TreeMap<Long, Hold> greatestBy = new TreeMap<>();
    for (Hold hold : acknowledged(history)) {
      Hold greatest = greatestBy.isEmpty() ? null : greatestBy.lastEntry().getValue();
      if (greatest == null || hold.token() > greatest.token()) {
        greatestBy.put(history.calm().after(hold.grantedAt(), answer), hold);
      }
    }
    for (Digest digest : history.digests()) {
      var entry = greatestBy.lowerEntry(digest.before());
      @Nullable Hold greatest = entry == null ? null : entry.getValue();
      if (greatest == null || hasJustStarted(history, digest)) {
        continue;
      }
      findings.judged(Rule.S14, 1);
      if (digest.lastToken() < greatest.token()) {
        findings.violated(
            Rule.S14,
            greatest.handle().lease(),
            digest.at(),
            "token %d was acknowledged and %s has none that great"
                .formatted(greatest.token(), digest.node()),
            List.of(Evidence.grantOf("hold", greatest), ReplicaDigests.evidence(digest)));
      }
    }
  }

  /** A replica that is started begins with what it had on disk, and catches up from there. */
  private static boolean hasJustStarted(History history, Digest digest) {
    NodeHistory run =
        history.nodes().getOrDefault(new NodeRun(digest.node(), digest.run()), NodeHistory.UNKNOWN);
    long started = Math.max(0, run.startedAt());
    long answer = history.header().parameters().answerNanos();
    return history.calm().after(started, answer) >= digest.before();
  }

  /** In the order in which their grants returned. */
  private static List<Hold> acknowledged(History history) {
    List<Hold> holds = new ArrayList<>();
    for (LeaseHistory lease : history.leases()) {
      lease.holds().stream().filter(hold -> hold.acquire() != null).forEach(holds::add);
    }
    holds.sort(Comparator.comparingLong(Hold::grantedAt));
    return holds;
  }
}
