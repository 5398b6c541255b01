package io.leasehold.harness.check;

import io.leasehold.LeaseLost.Reason;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import java.util.List;

/** How early a hold can have been over in the store. */
final class Ending {

  private Ending() {}

  /**
   * The first thing that may have ended a hold before it ran out: its release, a revocation, its
   * node's closing, its holder's own giving up, or an acquire with an unknown outcome, which is
   * undone; never when there was none.
   */
  static long byIntent(History history, LeaseHistory lease, Hold hold) {
    long first = hold.releaseInvokedAt();
    first = Math.min(first, history.nodeOf(hold.handle()).closedAt());
    first = Math.min(first, history.unknownAcquireAfter(hold.handle(), hold.grantedAt()));
    Call revocation = lease.revocationOf(hold);
    first = revocation == null ? first : Math.min(first, revocation.invokedAt());
    for (Lost lost : hold.losses()) {
      first = givesBack(lost) ? Math.min(first, lost.from()) : first;
    }
    return first;
  }

  /** Whether the holder ended the hold itself and then gave the lease back. */
  private static boolean givesBack(Lost lost) {
    return lost.reason() != Reason.EXPIRED && lost.reason() != Reason.TAKEN_OVER;
  }

  /**
   * The last call before an instant that is known to have renewed a hold: its grant, or a
   * confirming acquire. It reached the store after it was invoked.
   */
  static Call lastRenewal(Call acquire, List<Call> confirms, long before) {
    Call last = acquire;
    for (Call confirm : confirms) {
      if (confirm.returnedAt() < before && confirm.invokedAt() > last.invokedAt()) {
        last = confirm;
      }
    }
    return last;
  }

  /** When a hold can first have run out after a renewal, by a clock that is fast by the drift. */
  static long byExpiry(Call renewal, double drift) {
    return renewal.invokedAt() + (long) (renewal.invoke().ttlNanos() / (1 + drift));
  }
}
