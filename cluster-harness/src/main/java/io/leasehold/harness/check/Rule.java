package io.leasehold.harness.check;

/**
 * A promise that a history can break. S rules are about safety, L rules about things that must
 * happen in time; the numbers are those of the list of invariants. Not here, because a history does
 * not show them: S12 and S14 (what S14 protects shows as S5 and S8 across restarts) and S16.
 */
public enum Rule {
  H1("every call returns at most once, and after it was invoked"),
  S1("nobody believes in a lease after somebody else was granted it"),
  S2("a later acquisition has a greater token"),
  S3("one token belongs to one acquisition of one holder"),
  S4("tokens grow across restarts"),
  S5("no lease is taken over before its time to live has passed"),
  S6("a hold that has ended stays ended, and is told at most once"),
  S7("nothing is alive after its release was called"),
  S8("an acquire is refused only while somebody else may hold the lease"),
  S9("a released lease refuses nobody"),
  S10("a failed call leaves no trace"),
  S11("replicas agree at the same index"),
  S13("every loss is told exactly once; observers see what happened, in order"),
  S15("a lease in nobody's hands is free again in time"),
  S17("the guarded resource never takes an older token and loses no write"),
  FIFO("waiters are served in the order in which they came"),
  LIN("acquire, release and revoke take effect one at a time, in an order that fits real time"),
  L1("a dead holder is replaced in time"),
  L2("without a cause no lease is lost"),
  L3("after the last fault every node acquires and releases again");

  private final String promise;

  Rule(String promise) {
    this.promise = promise;
  }

  /** The promise in one sentence. */
  public String promise() {
    return promise;
  }
}
