package io.leasehold.harness.check;

import io.leasehold.LeaseEvent.Kind;
import io.leasehold.harness.check.history.HistoryEvent.Watched;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * S13, the observers' half: every observer sees the holds of a lease in the order of their tokens,
 * each grant at most once, and never a grant under a holder whom the history knows under another
 * token or name.
 */
final class ObservedOrder implements Check {

  private record Observer(String node, int run, String lease) {}

  @Override
  public void judge(History history, Findings findings) {
    Map<Long, Hold> holds = new HashMap<>();
    history
        .leases()
        .forEach(lease -> lease.holds().forEach(hold -> holds.putIfAbsent(hold.token(), hold)));
    Map<Observer, Watched> last = new HashMap<>();
    for (Watched event : history.watched()) {
      findings.judged(Rule.S13, 1);
      judgeHolder(event, holds, findings);
      if (event.kind() == Kind.FREE) {
        continue;
      }
      Observer observer = new Observer(event.node(), event.run(), event.lease());
      Watched before = last.put(observer, event);
      if (before != null && !mayFollow(before, event)) {
        findings.violated(
            Rule.S13,
            event.lease(),
            event.at(),
            "an observer on %s was told of token %d after token %d"
                .formatted(event.node(), event.token(), before.token()),
            List.of(evidence("told", before), evidence("told then", event)));
      }
    }
  }

  private static boolean mayFollow(Watched before, Watched event) {
    if (event.token() != before.token()) {
      return event.token() > before.token();
    }
    return event.kind() != Kind.GRANTED;
  }

  private static void judgeHolder(Watched event, Map<Long, Hold> holds, Findings findings) {
    Hold hold = holds.get(event.token());
    if (hold == null || event.owner() == null || event.holder() == null) {
      return;
    }
    boolean same =
        hold.handle().lease().equals(event.lease())
            && hold.handle().owner().equals(event.owner())
            && hold.handle().node().equals(event.holder());
    if (!same) {
      findings.violated(
          Rule.S13,
          event.lease(),
          event.at(),
          "an observer on %s was told of token %d under another holder"
              .formatted(event.node(), event.token()),
          List.of(Evidence.grantOf("hold", hold), evidence("told", event)));
    }
  }

  static Evidence evidence(String role, Watched event) {
    String text =
        "observer on %s: %s %s/%s token %d at %s"
            .formatted(
                event.node(),
                event.kind(),
                event.holder(),
                event.owner(),
                event.token(),
                CallText.seconds(event.at()));
    return new Evidence(role, event.node(), text, event.at(), event.at());
  }
}
