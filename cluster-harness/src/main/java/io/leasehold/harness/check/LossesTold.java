package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * S13: a hold that ended otherwise than by its holder's release is told, once (that it is not told
 * twice is S6), within the time a handler may take from the holder's no; and no loss is told of a
 * hold that never was or that was given up.
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
    long told = node.runningFor(proof.at(), history.header().parameters().callbackNanos());
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
    Sample no = hold.firstFalse();
    if (no != null && no.before() < hold.releaseInvokedAt()) {
      judgeDelay(history, hold, no, lost, findings);
    } else if (hold.release() != null && hold.grantedAt() <= hold.releaseInvokedAt()) {
      judgeAfterRelease(history, hold, hold.release(), lost, findings);
    }
  }

  /**
   * What was over before its release (or while it was called: the release need not be why) is told
   * late where that takes more calm time than a handler may: a machine that comes back from a pause
   * has much to do at once.
   */
  private static void judgeDelay(
      History history, Hold hold, Sample no, Lost lost, Findings findings) {
    long over = no.after();
    NodeHistory node = history.nodeOf(hold.handle());
    boolean excused =
        node.closedAt() <= over
            || history.unknownAcquireAfter(hold.handle(), hold.grantedAt()) <= over;
    if (excused) {
      return;
    }
    long latest = history.calm().after(over, history.header().parameters().callbackNanos());
    if (lost.from() - latest > node.pausedBetween(over, lost.from())) {
      findings.violated(
          Rule.S13,
          hold.handle().lease(),
          lost.at(),
          "the loss of token %d was told late".formatted(hold.token()),
          List.of(
              Evidence.grantOf("hold", hold),
              Evidence.first("not alive", no),
              Evidence.of("told", lost)));
    }
  }

  private static void judgeAfterRelease(
      History history, Hold hold, Call release, Lost lost, Findings findings) {
    long latest =
        history
            .nodeOf(hold.handle())
            .runningFor(release.invokedAt(), history.header().parameters().callbackNanos());
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
