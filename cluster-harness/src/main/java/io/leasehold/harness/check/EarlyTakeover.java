package io.leasehold.harness.check;

import java.util.List;

/**
 * S5: while its holder neither released it nor could have given it back, nor anybody revoked it, a
 * hold is followed by another one no sooner than its time to live, less the drift, after its
 * session's last renewal that is known. The grant is such a renewal, and so is every confirming
 * acquire: they reached the store after they were invoked.
 */
final class EarlyTakeover implements Check {

  @Override
  public void judge(History history, Findings findings) {
    double drift = history.header().parameters().drift();
    for (LeaseHistory lease : history.leases()) {
      for (int i = 0; i < lease.holds().size(); i++) {
        Hold hold = lease.holds().get(i);
        Hold successor = lease.successor(i);
        if (hold.acquire() == null || successor == null) {
          continue;
        }
        long taken = successor.provenAt();
        if (Ending.byIntent(history, lease, hold) <= taken || lease.endedUnsafely(i)) {
          continue;
        }
        findings.judged(Rule.S5, 1);
        Call renewal = Ending.lastRenewal(hold.acquire(), hold.confirms(), taken);
        long earliest = Ending.byExpiry(renewal, drift);
        if (taken < earliest) {
          findings.violated(
              Rule.S5,
              lease.name(),
              taken,
              "token %d was followed by token %d by %s, %s before it could have expired"
                  .formatted(
                      hold.token(),
                      successor.token(),
                      CallText.seconds(taken),
                      CallText.duration(earliest - taken)),
              List.of(
                  Evidence.of("last renewal", renewal), Evidence.grantOf("taken over", successor)));
        }
      }
    }
  }
}
