package io.leasehold.harness.check;

import java.util.List;

/**
 * L3: within the recovery time after the last fault every node has acquired a lease and released it
 * again. Judged only when the record goes on for that long.
 */
final class Recovery implements Check {

  @Override
  public void judge(History history, Findings findings) {
    long from = history.faultsOverAt();
    long until = from + history.header().parameters().recoveryNanos();
    if (from >= history.endedAt()) {
      return;
    }
    for (String node : history.header().nodes()) {
      boolean recovered =
          history.leases().stream()
              .flatMap(lease -> lease.holds().stream())
              .filter(hold -> hold.handle().node().equals(node))
              .anyMatch(hold -> acquiredAndReleased(hold, from, until));
      if (!recovered && history.endedAt() < until) {
        continue;
      }
      findings.judged(Rule.L3, 1);
      if (!recovered) {
        findings.violated(
            Rule.L3,
            "",
            until,
            "%s did not acquire and release within %s after the last fault"
                .formatted(node, CallText.duration(until - from)),
            List.of(new Evidence("faults over", node, "the last fault was over", from, from)));
      }
    }
  }

  private static boolean acquiredAndReleased(Hold hold, long from, long until) {
    return hold.acquire() != null
        && hold.acquire().invokedAt() >= from
        && hold.release() != null
        && hold.release().isOk()
        && hold.release().returnedAt() <= until;
  }
}
