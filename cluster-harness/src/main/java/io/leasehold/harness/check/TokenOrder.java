package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Life.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * S2: an acquire that was invoked after another one's grant had returned gets a greater token, over
 * all leases of the store. S4: also where a node was started in between.
 */
final class TokenOrder implements Check {

  @Override
  public void judge(History history, Findings findings) {
    List<Hold> byGrant = new ArrayList<>();
    for (LeaseHistory lease : history.leases()) {
      lease.holds().stream().filter(hold -> hold.acquire() != null).forEach(byGrant::add);
    }
    long[] starts =
        history.lives().stream()
            .filter(life -> life.step() == Step.START)
            .mapToLong(Life::at)
            .toArray();
    List<Hold> byInvocation = new ArrayList<>(byGrant);
    byGrant.sort(Comparator.comparingLong(Hold::grantedAt));
    byInvocation.sort(Comparator.comparingLong(hold -> acquireOf(hold).invokedAt()));
    findings.judged(Rule.S2, byGrant.size());
    int granted = 0;
    Hold greatest = null;
    for (Hold hold : byInvocation) {
      long invoked = acquireOf(hold).invokedAt();
      while (granted < byGrant.size() && byGrant.get(granted).grantedAt() < invoked) {
        Hold before = byGrant.get(granted++);
        greatest = greatest == null || before.token() > greatest.token() ? before : greatest;
      }
      if (greatest == null) {
        continue;
      }
      boolean restarted = anyBetween(starts, greatest.grantedAt(), invoked);
      findings.judged(Rule.S4, restarted ? 1 : 0);
      if (greatest.token() >= hold.token()) {
        findings.violated(
            restarted ? Rule.S4 : Rule.S2,
            hold.handle().lease(),
            invoked,
            "token %d was granted to an acquire invoked after token %d had been granted"
                .formatted(hold.token(), greatest.token()),
            List.of(
                Evidence.grantOf("earlier, greater token", greatest),
                Evidence.grantOf("later, smaller token", hold)));
      }
    }
  }

  private static Call acquireOf(Hold hold) {
    return Objects.requireNonNull(hold.acquire());
  }

  private static boolean anyBetween(long[] starts, long from, long to) {
    for (long start : starts) {
      if (start > from && start < to) {
        return true;
      }
    }
    return false;
  }
}
