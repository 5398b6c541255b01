package io.leasehold.harness.check;

import io.leasehold.harness.check.Verdict.Score;
import io.leasehold.harness.check.Verdict.Totals;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** A verdict in lines of text. */
final class VerdictText {

  private static final int SHOWN_PER_RULE = 5;
  private static final int CALLS_AROUND = 12;
  private static final long AROUND_NANOS = 100_000_000L;

  private static final String NO_RULE_16 =
      "S16  that the wall clock does not matter is not judged by itself: its steps excuse nothing above";

  private final History history;
  private final Verdict verdict;

  VerdictText(History history, Verdict verdict) {
    this.history = history;
    this.verdict = verdict;
  }

  void print(PrintWriter out) {
    printTotals(out);
    verdict.rules().forEach((rule, score) -> out.println(line(rule, score)));
    out.println(NO_RULE_16);
    for (Rule rule : Rule.values()) {
      List<Violation> broken =
          verdict.violations().stream().filter(violation -> violation.rule() == rule).toList();
      broken.stream().limit(SHOWN_PER_RULE).forEach(violation -> print(out, violation));
      long more = score(rule).broken() - Math.min(broken.size(), SHOWN_PER_RULE);
      if (more > 0) {
        out.printf(Locale.ROOT, "%nand %,d more violations of %s%n", more, rule);
      }
    }
    out.println();
    out.println(
        verdict.holds()
            ? "every promise held: " + summary()
            : "BROKEN: "
                + verdict.violations().stream()
                    .map(violation -> violation.rule().name())
                    .distinct()
                    .collect(Collectors.joining(", "))
                + " in "
                + summary());
    out.flush();
  }

  private String summary() {
    Totals totals = verdict.totals();
    return String.format(
        Locale.ROOT,
        "%,d operations judged under %,d faults of %d kinds%s",
        totals.calls(),
        totals.injectedFaults(),
        totals.byKind().size(),
        totals.byKind().isEmpty() ? "" : " (" + numbers(totals.byKind()) + ")");
  }

  private static String numbers(Map<String, Long> byKind) {
    return byKind.entrySet().stream()
        .map(kind -> kind.getKey() + " " + kind.getValue())
        .collect(Collectors.joining(", "));
  }

  private void printTotals(PrintWriter out) {
    Totals totals = verdict.totals();
    out.printf(
        Locale.ROOT,
        "seed %d, %d nodes, %.1f s%n",
        history.header().seed(),
        history.header().nodes().size(),
        totals.nanos() / 1e9);
    out.printf(
        Locale.ROOT,
        "%,d calls (%,d granted, %,d refused, %,d failed, %,d unknown), %,d samples of checkAlive,"
            + " %,d holds of %,d leases, %,d losses%n",
        totals.calls(),
        totals.granted(),
        totals.refused(),
        totals.failed(),
        totals.unknown(),
        totals.samples(),
        totals.holds(),
        totals.leases(),
        totals.losses());
    out.printf(
        Locale.ROOT,
        "%,d faults of %d kinds%s%n",
        totals.injectedFaults(),
        totals.byKind().size(),
        totals.stalls() == 0
            ? ""
            : "; " + totals.stalls() + " stalls of the machine itself, which excuse delays");
    totals
        .missed()
        .forEach((what, times) -> out.printf(Locale.ROOT, "NOT INJECTED %,dx %s%n", times, what));
    if (totals.taskRuns() > 0) {
      out.printf(
          Locale.ROOT,
          "%,d runs of the singleton's task; faults on its node while it ran: %s%n",
          totals.taskRuns(),
          totals.struckTasks().isEmpty() ? "none" : numbers(totals.struckTasks()));
    }
    out.printf(
        Locale.ROOT,
        "longest time without any answer: %s from %s%n%n",
        CallText.duration(totals.outageNanos()),
        CallText.seconds(totals.outageFrom()));
  }

  private Score score(Rule rule) {
    return Objects.requireNonNull(verdict.rules().get(rule));
  }

  private static String line(Rule rule, Score score) {
    String result =
        score.broken() > 0
            ? String.format(Locale.ROOT, "BROKEN %,d times", score.broken())
            : score.judged() == 0 ? "nothing to judge" : "held";
    return String.format(
        Locale.ROOT, "%-4s %-80s %,10d  %s", rule, rule.promise(), score.judged(), result);
  }

  private void print(PrintWriter out, Violation violation) {
    out.println();
    out.printf(
        "%s%s at %s: %s%n",
        violation.rule(),
        violation.lease().isEmpty() ? "" : " " + violation.lease(),
        CallText.seconds(violation.at()),
        violation.what());
    out.println("  (" + violation.rule().promise() + ")");
    Set<String> shown = new HashSet<>();
    for (Evidence evidence : violation.evidence()) {
      out.printf("  %-18s %s%n", evidence.role(), evidence.text());
      shown.add(evidence.text());
    }
    around(violation).stream()
        .filter(call -> !shown.contains(call.toString()))
        .forEach(call -> out.printf("  %-18s %s%n", "around it", call));
  }

  private List<Call> around(Violation violation) {
    return history.leases().stream()
        .filter(lease -> lease.name().equals(violation.lease()))
        .flatMap(
            lease ->
                lease
                    .callsBetween(
                        violation.at() - AROUND_NANOS, violation.at() + AROUND_NANOS, CALLS_AROUND)
                    .stream())
        .toList();
  }
}
