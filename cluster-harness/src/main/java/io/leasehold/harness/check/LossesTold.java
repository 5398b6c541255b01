package io.leasehold.harness.check;

import io.leasehold.harness.check.History.NodeRun;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * S13: a hold that ended otherwise than by its holder's release is told, once (that it is not told
 * twice is S6), within the time a handler may take; and no loss is told of a hold that never was or
 * that was given up.
 *
 * <p>That a hold was lost shows in three ways, each before any release: its holder saw it not
 * alive; another hold was granted; its own holder was granted another token. A process that died or
 * closed before it had the time to tell is excused, and time in which it was paused does not count.
 */
final class LossesTold implements Check {

  private record Proof(long at, Evidence evidence) {}

  @Override
  public void judge(History history, Findings findings) {
    for (LeaseHistory lease : history.leases()) {
      for (int i = 0; i < lease.holds().size(); i++) {
        Hold hold = lease.holds().get(i);
        if (!hold.losses().isEmpty()) {
          findings.judged(Rule.S13, 1);
          judgeTold(history, hold, findings);
        } else if (hold.acquire() != null) {
          judgeUntold(history, lease, i, findings);
        }
      }
    }
  }

  private static void judgeUntold(
      History history, LeaseHistory lease, int index, Findings findings) {
    Hold hold = lease.holds().get(index);
    Proof proof = proofOfLoss(history, lease, index);
    if (proof == null || proof.at() >= hold.releaseInvokedAt()) {
      return;
    }
    NodeHistory node = history.nodeOf(hold.handle());
    long told = proof.at() + history.header().parameters().callbackNanos();
    told += node.pausedBetween(proof.at(), told);
    boolean excused =
        node.endedAt() <= told
            || history.endedAt() <= told
            || history.unknownAcquireAfter(hold.handle(), hold.grantedAt()) <= proof.at();
    if (excused) {
      return;
    }
    findings.judged(Rule.S13, 1);
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(Evidence.grantOf("hold", hold));
    evidence.add(proof.evidence());
    if (hold.release() != null) {
      evidence.add(Evidence.of("release", hold.release()));
    }
    findings.violated(
        Rule.S13,
        lease.name(),
        proof.at(),
        "the loss of token %d was never told".formatted(hold.token()),
        evidence);
  }

  private static @Nullable Proof proofOfLoss(History history, LeaseHistory lease, int index) {
    Hold hold = lease.holds().get(index);
    Proof proof = null;
    if (hold.firstFalse() != null) {
      proof = new Proof(hold.firstFalseAt(), Evidence.first("not alive", hold.firstFalse()));
    }
    Hold successor = lease.successor(index);
    if (successor != null && (proof == null || successor.provenAt() < proof.at())) {
      long at = Math.max(successor.provenAt(), hold.grantedAt());
      proof = new Proof(at, Evidence.grantOf("next hold", successor));
    }
    long closed = history.nodeOf(hold.handle()).closedAt();
    return proof != null && closed <= proof.at() ? null : proof;
  }

  /** What was not alive before its release was lost by then, however late that is told. */
  private static boolean wasOver(Hold hold, Call release) {
    return hold.firstFalse() != null && hold.firstFalse().before() < release.invokedAt();
  }

  private static void judgeTold(History history, Hold hold, Findings findings) {
    Lost lost = hold.losses().get(0);
    boolean possible =
        hold.acquire() != null
            || history.callsOf(hold.handle()).stream()
                .anyMatch(call -> call.mayHideAGrant() && call.invokedAt() <= lost.at());
    if (!possible) {
      findings.violated(
          Rule.S13,
          hold.handle().lease(),
          lost.at(),
          "the loss of token %d was told to a holder that never had it".formatted(hold.token()),
          List.of(Evidence.of("told", lost)));
    }
    Call release = hold.release();
    if (release == null || hold.grantedAt() > release.invokedAt() || wasOver(hold, release)) {
      return;
    }
    long latest = release.invokedAt() + history.header().parameters().callbackNanos();
    latest +=
        history
            .nodes()
            .getOrDefault(
                new NodeRun(hold.handle().node(), hold.handle().run()), NodeHistory.UNKNOWN)
            .pausedBetween(release.invokedAt(), latest);
    if (lost.from() > latest) {
      findings.violated(
          Rule.S13,
          hold.handle().lease(),
          lost.at(),
          "a loss of token %d was told after it had been released".formatted(hold.token()),
          List.of(
              Evidence.grantOf("hold", hold),
              Evidence.of("release", release),
              Evidence.of("told", lost)));
    }
  }
}
