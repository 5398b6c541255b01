package io.leasehold.harness.check;

import java.util.ArrayList;
import java.util.List;

/**
 * S8: where an acquire was refused, somebody else may have held the lease at some instant between
 * its invocation and its return (for one that waited: since its wait can have been over). S9: the
 * same, where the last one to hold it had released it and been told so.
 */
final class HonestRefusals implements Check {

  @Override
  public void judge(History history, Findings findings) {
    double drift = history.header().parameters().drift();
    for (LeaseHistory lease : history.leases()) {
      LongestTenures tenures = new LongestTenures(Tenure.of(lease), Tenure::to);
      for (Call call : lease.calls()) {
        if (call.isRefusal()) {
          judge(lease, call, refusedFrom(call, drift), tenures, findings);
        }
      }
    }
  }

  /** The earliest instant at which the answer no can have been true. */
  static long refusedFrom(Call refusal, double drift) {
    return refusal.invokedAt() + (long) (refusal.invoke().waitNanos() * (1 - drift));
  }

  private static void judge(
      LeaseHistory lease, Call refusal, long from, LongestTenures tenures, Findings findings) {
    findings.judged(Rule.S8, 1);
    Tenure last = tenures.begunBy(refusal.returnedAt(), refusal.handle());
    if (last != null && last.releasedBy() != null) {
      findings.judged(Rule.S9, 1);
    }
    if (last != null && last.to() >= from) {
      return;
    }
    List<Evidence> evidence = new ArrayList<>();
    Rule rule = Rule.S8;
    String what = "refused though nobody else can have held the lease";
    if (last != null) {
      evidence.add(last.why().get());
      if (last.releasedBy() != null) {
        rule = Rule.S9;
        what =
            "refused though token %d had been released by %s"
                .formatted(last.token(), CallText.seconds(last.to()));
        evidence.add(Evidence.of("released", last.releasedBy()));
      }
    }
    evidence.add(Evidence.of("refused", refusal));
    findings.violated(rule, lease.name(), refusal.invokedAt(), what, evidence);
  }
}
