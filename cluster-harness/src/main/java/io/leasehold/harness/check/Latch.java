package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Lost;
import java.util.List;

/**
 * S6: a hold that was once not alive is never alive again, its loss is told at most once, and it is
 * not alive from the moment the handler is entered.
 */
final class Latch implements Check {

  @Override
  public void judge(History history, Findings findings) {
    for (LeaseHistory lease : history.leases()) {
      findings.judged(Rule.S6, lease.holds().size());
      for (Hold hold : lease.holds()) {
        judge(hold, findings);
      }
    }
  }

  private static void judge(Hold hold, Findings findings) {
    String lease = hold.handle().lease();
    if (hold.losses().size() > 1) {
      Lost second = hold.losses().get(1);
      findings.violated(
          Rule.S6,
          lease,
          second.at(),
          "the loss of token %d was told %d times".formatted(hold.token(), hold.losses().size()),
          List.of(
              Evidence.grantOf("hold", hold),
              Evidence.of("told", hold.losses().get(0)),
              Evidence.of("told again", second)));
    }
    if (hold.lastTrue() == null) {
      return;
    }
    if (hold.firstFalse() != null && hold.lastAliveAt() > hold.firstFalse().after()) {
      findings.violated(
          Rule.S6,
          lease,
          hold.lastAliveAt(),
          "token %d was alive again after it had not been".formatted(hold.token()),
          List.of(
              Evidence.grantOf("hold", hold),
              Evidence.first("not alive", hold.firstFalse()),
              Evidence.last("alive again", hold.lastTrue())));
    }
    if (hold.lastAliveAt() > hold.toldAt()) {
      findings.violated(
          Rule.S6,
          lease,
          hold.lastAliveAt(),
          "token %d was alive after its loss had been told".formatted(hold.token()),
          List.of(
              Evidence.grantOf("hold", hold),
              Evidence.of("told", hold.losses().get(0)),
              Evidence.last("alive", hold.lastTrue())));
    }
  }
}
