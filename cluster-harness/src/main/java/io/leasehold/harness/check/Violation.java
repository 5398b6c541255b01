package io.leasehold.harness.check;

import java.util.List;

/**
 * A rule that a history breaks, with the operations that show it.
 *
 * @param lease the lease concerned; empty when it is not about one
 * @param at when it happened
 * @param what one sentence
 */
public record Violation(Rule rule, String lease, long at, String what, List<Evidence> evidence) {

  public Violation {
    evidence = List.copyOf(evidence);
  }
}
