package io.leasehold.harness.check;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

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
   * @param kinds of how many kinds those were
   * @param missedFaults faults that could not be done
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
      int kinds,
      int missedFaults,
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
        (int) injected.stream().map(span -> span.fault().kind()).distinct().count(),
        faults.size() - injected.size(),
        history.faults().size() - faults.size(),
        history.endedAt());
  }
}
