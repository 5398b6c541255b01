package io.leasehold.harness.check;

import io.leasehold.harness.check.Verdict.Score;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Life.Step;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the report's page shows, as the page's script wants it. */
record ReportData(
    long seed,
    String command,
    String started,
    Map<String, String> notes,
    List<String> nodes,
    long endedAt,
    long faultsOverAt,
    Verdict.Totals totals,
    boolean holds,
    List<RuleLine> rules,
    List<LeaseLine> leases,
    List<NodeSpan> lives,
    List<FaultLine> faults,
    ReportSeries series,
    List<ViolationCard> violations) {

  private static final long AROUND_NANOS = 300_000_000L;
  private static final int AROUND_MAX = 40;

  /** Somebody who has not seen it alive for so long, as in a pause, did not believe in it. */
  private static final long UNSEEN_NANOS = 60_000_000L;

  record RuleLine(String rule, String promise, long judged, long broken) {}

  record LeaseLine(String name, List<HoldBar> holds, List<LossMark> losses) {}

  /** How long a holder had a lease in its hands. */
  record HoldBar(int node, String handle, long token, long from, long to, String end) {}

  record LossMark(int node, String handle, long token, long at, String reason) {}

  /** A time in which a node was not up and running: down, starting, paused, stalled. */
  record NodeSpan(int node, String state, long from, long to) {}

  record FaultLine(
      int id,
      String kind,
      List<String> targets,
      Map<String, String> parameters,
      long from,
      long to,
      boolean disturbs,
      boolean injected,
      String means) {}

  record ViolationCard(
      String rule,
      String promise,
      String lease,
      long at,
      String what,
      List<Evidence> evidence,
      List<CallBar> around,
      List<HoldBar> holds) {}

  record CallBar(String handle, String text, String kind, long from, long to) {}

  static ReportData of(History history, Verdict verdict) {
    List<String> nodes = history.header().nodes();
    List<LeaseLine> leases =
        history.leases().stream().map(lease -> line(history, lease, nodes)).toList();
    List<RuleLine> rules = new ArrayList<>();
    verdict
        .rules()
        .forEach(
            (Rule rule, Score score) ->
                rules.add(
                    new RuleLine(rule.name(), rule.promise(), score.judged(), score.broken())));
    return new ReportData(
        history.header().seed(),
        history.header().command(),
        history.header().started(),
        history.header().notes(),
        nodes,
        history.endedAt(),
        history.faultsOverAt(),
        verdict.totals(),
        verdict.holds(),
        rules,
        leases,
        lives(history, nodes),
        history.faults().stream().filter(span -> !span.isStall()).map(ReportData::line).toList(),
        ReportSeries.of(history),
        verdict.violations().stream().map(violation -> card(history, nodes, violation)).toList());
  }

  private static LeaseLine line(History history, LeaseHistory lease, List<String> nodes) {
    List<HoldBar> bars = new ArrayList<>();
    List<LossMark> marks = new ArrayList<>();
    for (Hold hold : lease.holds()) {
      int node = nodes.indexOf(hold.handle().node());
      if (hold.provenAt() != Call.NEVER) {
        bars.add(bar(history, hold, node));
      }
      for (Lost lost : hold.losses()) {
        marks.add(
            new LossMark(
                node, lost.handle().toString(), lost.token(), lost.at(), lost.reason().name()));
      }
    }
    return new LeaseLine(lease.name(), bars, marks);
  }

  private static HoldBar bar(History history, Hold hold, int node) {
    long from = hold.provenAt();
    long died = history.nodeOf(hold.handle()).endedAt();
    long to = Math.min(Math.min(hold.releaseInvokedAt(), hold.toldAt()), died);
    String end = "released";
    if (hold.lastTrue() != null && hold.lastTrue().lastAfter() + UNSEEN_NANOS < to) {
      to = Math.max(from, hold.lastTrue().lastAfter());
      end = "not alive any more";
    } else if (to == Call.NEVER) {
      end = "held to the end";
    } else if (to == died) {
      end = "its node ended";
    } else if (to == hold.toldAt()) {
      end = "lost";
    }
    long shownTo = Math.max(from, Math.min(to, history.endedAt()));
    return new HoldBar(node, hold.handle().toString(), hold.token(), from, shownTo, end);
  }

  private static List<NodeSpan> lives(History history, List<String> nodes) {
    List<NodeSpan> spans = new ArrayList<>();
    for (FaultSpan stall : history.faults()) {
      if (stall.isStall()) {
        int node = nodes.indexOf(stall.fault().targets().get(0));
        spans.add(new NodeSpan(node, "stalled", stall.beganAt(), stall.endedAt()));
      }
    }
    for (int node = 0; node < nodes.size(); node++) {
      String state = "";
      long since = 0;
      for (Life life : history.lives()) {
        if (!life.node().equals(nodes.get(node))) {
          continue;
        }
        if (!state.isEmpty() && life.at() > since) {
          spans.add(new NodeSpan(node, state, since, life.at()));
        }
        state = stateAfter(life.step(), state);
        since = life.at();
      }
      if (!state.isEmpty()) {
        spans.add(new NodeSpan(node, state, since, history.endedAt()));
      }
    }
    return spans;
  }

  private static String stateAfter(Step step, String before) {
    return switch (step) {
      case START -> "starting";
      case READY, RESUME -> "";
      case KILL, EXIT -> "down";
      case CLOSE -> "closing";
      case PAUSE -> before.equals("down") ? before : "paused";
    };
  }

  private static FaultLine line(FaultSpan span) {
    return new FaultLine(
        span.fault().id(),
        span.fault().kind(),
        span.fault().targets(),
        span.fault().parameters(),
        span.beganAt(),
        span.endedAt(),
        span.fault().disturbs(),
        span.fault().injected(),
        span.fault().means());
  }

  private static ViolationCard card(History history, List<String> nodes, Violation violation) {
    List<CallBar> around = new ArrayList<>();
    List<HoldBar> holds = new ArrayList<>();
    long from =
        violation.evidence().stream()
                .mapToLong(Evidence::from)
                .filter(begun -> begun > violation.at() - 20 * AROUND_NANOS)
                .min()
                .orElse(violation.at())
            - AROUND_NANOS;
    long to = violation.at() + AROUND_NANOS;
    for (LeaseHistory lease : history.leases()) {
      if (lease.name().equals(violation.lease())) {
        lease
            .callsBetween(from, to, AROUND_MAX)
            .forEach(call -> around.add(bar(call, history.endedAt())));
        lease.holds().stream()
            .filter(hold -> hold.provenAt() <= to)
            .map(hold -> bar(history, hold, nodes.indexOf(hold.handle().node())))
            .filter(bar -> bar.to() >= from)
            .forEach(holds::add);
      }
    }
    return new ViolationCard(
        violation.rule().name(),
        violation.rule().promise(),
        violation.lease(),
        violation.at(),
        violation.what(),
        violation.evidence(),
        around,
        holds);
  }

  private static CallBar bar(Call call, long end) {
    String kind =
        call.isGrant()
            ? "granted"
            : call.isRefusal()
                ? "refused"
                : call.isUnknown() ? "unknown" : call.isFailed() ? "failed" : "released";
    return new CallBar(
        call.handle().toString(),
        CallText.asked(call) + " " + CallText.answered(call),
        kind,
        call.invokedAt(),
        Math.min(call.returnedAt(), end));
  }
}
