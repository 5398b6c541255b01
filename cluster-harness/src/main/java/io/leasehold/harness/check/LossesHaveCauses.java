package io.leasehold.harness.check;

import io.leasehold.LeaseLost.Reason;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import java.util.List;

/**
 * L2: no loss without a cause. A hold that ran out, or whose session was forgotten, must have had
 * something disturb the cluster within its time to live before; one that was revoked, somebody who
 * asked for it; one that was taken over although it had not run out, its own owner's reclaim; one
 * closed, a node that was closing.
 */
final class LossesHaveCauses implements Check {

  @Override
  public void judge(History history, Findings findings) {
    for (LeaseHistory lease : history.leases()) {
      for (int i = 0; i < lease.holds().size(); i++) {
        Hold hold = lease.holds().get(i);
        for (Lost lost : hold.losses()) {
          if (hold.acquire() == null) {
            continue;
          }
          findings.judged(Rule.L2, 1);
          if (!hasCause(history, lease, i, hold.acquire(), lost)) {
            findings.violated(
                Rule.L2,
                lease.name(),
                lost.at(),
                "token %d was lost (%s) without a cause".formatted(hold.token(), lost.reason()),
                List.of(Evidence.grantOf("hold", hold), Evidence.of("told", lost)));
          }
        }
      }
    }
  }

  private static boolean hasCause(
      History history, LeaseHistory lease, int index, Call acquire, Lost lost) {
    Hold hold = lease.holds().get(index);
    if (lost.reason() == Reason.REVOKED) {
      Call revocation = lease.revocationOf(hold);
      return revocation != null && revocation.invokedAt() <= lost.at();
    }
    if (lost.reason() == Reason.CLOSED) {
      return history.nodeOf(hold.handle()).endedAt() <= lost.at();
    }
    if (lease.endedUnsafely(index)) {
      return true;
    }
    long since = lost.from() - acquire.invoke().ttlNanos();
    return !history.calm().between(since, lost.at());
  }
}
