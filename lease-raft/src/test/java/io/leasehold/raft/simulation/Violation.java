package io.leasehold.raft.simulation;

import org.jspecify.annotations.Nullable;

/** What must never be the case is the case. */
public final class Violation extends AssertionError {

  private static final long serialVersionUID = 1L;

  private final Rule rule;

  private final long steps;

  Violation(Rule rule, String what) {
    this(rule, rule + ": " + what, 0, null);
  }

  private Violation(Rule rule, String message, long steps, @Nullable Throwable cause) {
    super(message, cause);
    this.rule = rule;
    this.steps = steps;
  }

  Violation(Rule rule, String what, Throwable cause) {
    this(rule, rule + ": " + what, 0, cause);
  }

  /** Returns the same with how many steps there were before it. */
  Violation after(long allSteps) {
    return new Violation(rule, String.valueOf(getMessage()), allSteps, this);
  }

  /** Returns the same with the run it was found in, and how to repeat that. */
  Violation in(Plan plan) {
    return new Violation(
        rule,
        "%s%n  at step %d of seed %d; to see what led to it: SimulationMain --trace %d%n  %s"
            .formatted(getMessage(), steps, plan.seed(), plan.seed(), plan),
        steps,
        this);
  }

  /** Returns how many steps there were before it. */
  public long steps() {
    return steps;
  }

  /** Returns which rule is broken. */
  public Rule rule() {
    return rule;
  }

  /** What must hold in every run; the letters are those of the rules in CORRECTNESS.md. */
  public enum Rule {
    /** S1: whoever believes in a hold is the one holder in the log at that instant. */
    EXCLUSION,
    /** S2, S4: every grant has a greater token than all before it. */
    TOKEN_ORDER,
    /** S6: what was once seen over is never seen alive again. */
    LATCH,
    /** S7: after the call of release nobody believes in the hold. */
    RELEASED,
    /** S6, S13: each loss of a hold is told exactly once, and nothing else is. */
    LOSS_ONCE,
    /** A grant that comes after the deadline it would have is none. */
    HONEST_GRANT,
    /** S8: a refusal means that another holder had it while the call was made. */
    HONEST_REFUSAL,
    /** Reads and observers see what was, in its order, and the last state arrives. */
    INSPECTION,
    /** S10: a batch has effect once, however often it is in the log. */
    EXACTLY_ONCE,
    /** Nobody is granted anything whose session was silent for the ttl. */
    LIVING_HOLDER,
    /** S11: replicas that have applied the same are the same. */
    SAME_REPLICAS,
    /** S12: lease time never falls, and goes no faster than a leader's clock may. */
    LEASE_TIME,
    /** Waiters are granted first come, first served. */
    FIRST_COME,
    /** Of a singleton's tasks at most one runs under a live lease, and one at all on each node. */
    ONE_TASK,
    /** A lease is given up after its task has ended, and not before. */
    TASK_BEFORE_RELEASE,
    /** S15: nothing stays held or queued that nobody believes in. */
    NO_ORPHAN,
    /** Nothing goes wrong inside: no task fails, and no error is logged. */
    NO_ERROR,
    /** L3: after the last fault everybody gets what they ask for. */
    LIVENESS
  }
}
