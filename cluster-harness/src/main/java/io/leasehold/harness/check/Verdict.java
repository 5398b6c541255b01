package io.leasehold.harness.check;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the judge says about a history.
 *
 * @param rules each rule with how much it had to judge and how often it was broken, in order
 * @param violations at most fifty of each rule
 */
public record Verdict(Map<Rule, Score> rules, List<Violation> violations, Totals totals) {

  /** How a rule fared. One that judged nothing has not been shown to hold. */
  public record Score(long judged, long broken) {}

  /**
   * How much the history held.
   *
   * @param injectedFaults faults that were really done
   * @param byKind how many of those were of which kind
   * @param missed why faults could not be done, with their kinds, and how often
   * @param taskRuns how often a singleton's task ran
   * @param struckTasks how many of the faults, of which kind, were done to a node on which such a
   *     task ran
   * @param outageNanos the longest time in which no call was answered
   * @param outageFrom when that began
   * @param stalls how often a process did not get to run, through no fault of the run's
   */
  public record Totals(
      long calls,
      long granted,
      long refused,
      long failed,
      long unknown,
      long samples,
      long holds,
      int leases,
      int losses,
      int injectedFaults,
      Map<String, Long> byKind,
      Map<String, Long> missed,
      int taskRuns,
      Map<String, Long> struckTasks,
      long outageNanos,
      long outageFrom,
      int stalls,
      long nanos) {}

  /** Whether no rule was broken. */
  public boolean holds() {
    return violations.isEmpty();
  }

  static Verdict of(History history, Findings findings) {
    Map<Rule, Score> rules = new EnumMap<>(Rule.class);
    for (Rule rule : Rule.values()) {
      rules.put(rule, new Score(findings.judged(rule), findings.broken(rule)));
    }
    return new Verdict(rules, findings.violations(), totals(history));
  }

  private static Totals totals(History history) {
    long granted = 0;
    long refused = 0;
    long failed = 0;
    long unknown = 0;
    for (LeaseHistory lease : history.leases()) {
      for (Call call : lease.calls()) {
        granted += call.isGrant() ? 1 : 0;
        refused += call.isRefusal() ? 1 : 0;
        failed += call.isFailed() ? 1 : 0;
        unknown += call.isUnknown() ? 1 : 0;
      }
    }
    List<FaultSpan> faults = history.faults().stream().filter(span -> !span.isStall()).toList();
    List<FaultSpan> injected = faults.stream().filter(span -> span.fault().injected()).toList();
    Outage outage = Outage.longest(history);
    return new Totals(
        history.callCount(),
        granted,
        refused,
        failed,
        unknown,
        history.sampleCount(),
        history.holdCount(),
        history.leases().size(),
        history.losses().size(),
        injected.size(),
        count(injected.stream().map(span -> span.fault().kind())),
        count(
            faults.stream()
                .filter(span -> !span.fault().injected())
                .map(span -> span.fault().kind() + ": " + span.fault().means())),
        history.tasks().size(),
        count(
            injected.stream()
                .filter(span -> strikesATask(span, history))
                .map(span -> span.fault().kind())),
        outage.nanos(),
        outage.from(),
        history.faults().size() - faults.size(),
        history.endedAt());
  }

  private static boolean strikesATask(FaultSpan span, History history) {
    return history.tasks().stream()
        .anyMatch(
            run ->
                span.fault().targets().contains(run.handle().node())
                    && run.begunAt() <= span.beganAt()
                    && span.beganAt() <= run.endedBy(history));
  }

  private static Map<String, Long> count(Stream<String> words) {
    return words.collect(
        Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
  }

  private record Outage(long from, long nanos) {

    /** The longest time between two answers, whatever they were. */
    static Outage longest(History history) {
      long[] answers =
          history.leases().stream()
              .flatMap(lease -> lease.calls().stream())
              .filter(Call::isOk)
              .mapToLong(Call::returnedAt)
              .sorted()
              .toArray();
      Outage longest = new Outage(0, 0);
      for (int i = 1; i < answers.length; i++) {
        if (answers[i] - answers[i - 1] > longest.nanos()) {
          longest = new Outage(answers[i - 1], answers[i] - answers[i - 1]);
        }
      }
      return longest;
    }
  }
}
