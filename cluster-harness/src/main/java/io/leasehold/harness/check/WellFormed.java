package io.leasehold.harness.check;

import io.leasehold.harness.check.History.Malformed;
import java.util.List;

/** H1: the record itself makes sense. Where it does not, no other verdict can be trusted. */
final class WellFormed implements Check {

  @Override
  public void judge(History history, Findings findings) {
    findings.judged(Rule.H1, history.callCount());
    for (Malformed malformed : history.malformed()) {
      Call call = malformed.call();
      findings.violated(
          Rule.H1,
          call.lease(),
          call.invokedAt(),
          "call " + call.id() + " makes no sense: " + malformed.why(),
          List.of(Evidence.of("call", call)));
    }
  }
}
