package io.leasehold.harness.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What the checks of one history found, and how much each had to judge: a rule without anything to
 * judge has not been shown to hold. Not safe for many threads.
 */
final class Findings {

  /** More of one kind tell nothing new. */
  private static final int KEPT_PER_RULE = 50;

  private final Map<Rule, Long> judged = new EnumMap<>(Rule.class);
  private final Map<Rule, Long> broken = new EnumMap<>(Rule.class);
  private final List<Violation> violations = new ArrayList<>();

  /** So many facts were judged by a rule. */
  void judged(Rule rule, long count) {
    judged.merge(rule, count, Long::sum);
  }

  void violated(Rule rule, String lease, long at, String what, List<Evidence> evidence) {
    if (broken.merge(rule, 1L, Long::sum) <= KEPT_PER_RULE) {
      violations.add(new Violation(rule, lease, at, what, evidence));
    }
  }

  long judged(Rule rule) {
    return judged.getOrDefault(rule, 0L);
  }

  long broken(Rule rule) {
    return broken.getOrDefault(rule, 0L);
  }

  /** In the order of the rules, and of time within each. */
  List<Violation> violations() {
    return violations.stream()
        .sorted(Comparator.comparing(Violation::rule).thenComparingLong(Violation::at))
        .toList();
  }
}
