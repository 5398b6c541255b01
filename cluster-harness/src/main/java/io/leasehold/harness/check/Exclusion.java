package io.leasehold.harness.check;

import java.util.List;

/**
 * S1: for holds g before h of one lease, nobody sees g alive in an instant that lies wholly after h
 * was proven: its grant had returned, or its own holder had seen it alive. Being told anew that one
 * holds g (a confirming acquire) counts like a sample.
 */
final class Exclusion implements Check {

  @Override
  public void judge(History history, Findings findings) {
    for (LeaseHistory lease : history.leases()) {
      findings.judged(Rule.S1, lease.holds().size());
      for (int i = 0; i < lease.holds().size(); i++) {
        Hold successor = lease.successor(i);
        if (successor != null) {
          judge(lease, i, successor, findings);
        }
      }
    }
  }

  private static void judge(LeaseHistory lease, int index, Hold successor, Findings findings) {
    Hold hold = lease.holds().get(index);
    long over = successor.provenAt();
    if (hold.lastTrue() != null && hold.lastAliveAt() > over && !lease.endedUnsafely(index)) {
      findings.violated(
          Rule.S1,
          lease.name(),
          hold.lastAliveAt(),
          "two holders: token %d was still alive at %s, but token %d had been granted by %s"
              .formatted(
                  hold.token(),
                  CallText.seconds(hold.lastAliveAt()),
                  successor.token(),
                  CallText.seconds(over)),
          List.of(
              Evidence.grantOf("older hold", hold),
              Evidence.grantOf("newer hold", successor),
              Evidence.last("still alive", hold.lastTrue())));
    }
    for (Call confirm : hold.confirms()) {
      if (confirm.invokedAt() > over && !lease.endedUnsafely(index)) {
        findings.violated(
            Rule.S1,
            lease.name(),
            confirm.invokedAt(),
            "two holders: token %d was confirmed after token %d had been granted"
                .formatted(hold.token(), successor.token()),
            List.of(
                Evidence.grantOf("older hold", hold),
                Evidence.grantOf("newer hold", successor),
                Evidence.of("confirmed", confirm)));
      }
    }
  }
}
