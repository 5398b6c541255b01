package io.leasehold.harness.check;

import static java.util.Objects.requireNonNull;

import io.leasehold.harness.check.history.HistoryEvent.Sample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * S3: a token belongs to one acquisition: never to two holders, never to one holder again after it
 * ended, never to nobody's acquire; and one acquisition never gets two tokens.
 */
final class TokenIdentity implements Check {

  @Override
  public void judge(History history, Findings findings) {
    Map<Long, Hold> byToken = new HashMap<>();
    Map<String, Hold> byAcquisition = new HashMap<>();
    for (LeaseHistory lease : history.leases()) {
      findings.judged(Rule.S3, lease.holds().size());
      for (Hold hold : lease.holds()) {
        Hold other = byToken.putIfAbsent(hold.token(), hold);
        if (other != null) {
          violated(findings, "two holders have token " + hold.token(), other, hold);
        }
        judgeAcquisition(hold, byAcquisition, findings);
        judgeConfirms(hold, findings);
        judgeOrigin(history, hold, findings);
      }
    }
  }

  private static void judgeAcquisition(Hold hold, Map<String, Hold> seen, Findings findings) {
    Call acquire = hold.acquire();
    if (acquire == null || acquire.end() == null || acquire.end().acquisition() == null) {
      return;
    }
    Hold other = seen.putIfAbsent(acquire.end().acquisition(), hold);
    if (other != null) {
      violated(
          findings,
          "acquisition %s got tokens %d and %d"
              .formatted(acquire.end().acquisition(), other.token(), hold.token()),
          other,
          hold);
    }
  }

  private static void judgeConfirms(Hold hold, Findings findings) {
    for (Call confirm : hold.confirms()) {
      boolean released =
          hold.release() != null && hold.release().returnedAt() < confirm.invokedAt();
      if (released || hold.toldAt() < confirm.invokedAt()) {
        findings.violated(
            Rule.S3,
            hold.handle().lease(),
            confirm.invokedAt(),
            "token %d was given again after it had been %s"
                .formatted(hold.token(), released ? "released" : "lost"),
            List.of(
                Evidence.grantOf("first grant", hold),
                released
                    ? Evidence.of("released", requireNonNull(hold.release()))
                    : Evidence.of("lost", hold.losses().get(0)),
                Evidence.of("given again", confirm)));
      }
    }
  }

  /**
   * A hold that was seen alive without a grant must come from an acquire that could have got it.
   */
  private static void judgeOrigin(History history, Hold hold, Findings findings) {
    Sample seen = hold.firstTrue();
    if (hold.acquire() != null || seen == null) {
      return;
    }
    boolean possible =
        history.callsOf(hold.handle()).stream()
            .anyMatch(call -> call.mayHideAGrant() && call.invokedAt() <= seen.after());
    if (!possible) {
      findings.violated(
          Rule.S3,
          hold.handle().lease(),
          seen.before(),
          "token %d was alive though no acquire had got it".formatted(hold.token()),
          List.of(Evidence.first("alive", seen)));
    }
  }

  private static void violated(Findings findings, String what, Hold one, Hold other) {
    findings.violated(
        Rule.S3,
        other.handle().lease(),
        Math.min(other.provenAt(), one.provenAt()),
        what,
        List.of(Evidence.grantOf("one", one), Evidence.grantOf("other", other)));
  }
}
