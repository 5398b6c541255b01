package io.leasehold.harness.check;

/**
 * A promise that a history can break. S rules are about safety, L rules about things that must
 * happen in time. The numbers are those of CORRECTNESS.md, which says how each is judged.
 *
 * <p>S16, that the wall clock does not matter, has no rule of its own: a step of it is a fault that
 * disturbs nothing, so that every rule about calm time (S13, S14, S15, FIFO, L1, L2) is judged
 * across it as if it had not been, and lease time that followed it would break S12. That the
 * replicated code asks for no clock at all is checked in every build, by the store's {@code
 * ArrowsTest}.
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
  S12("lease time never falls, and goes no faster than a clock may"),
  S13("every loss is told exactly once; observers see what happened, in order"),
  S14("what was acknowledged is in every replica for good"),
  S15("a lease in nobody's hands is free again in time"),
  S17("the guarded resource never takes an older token and loses no write"),
  S18("a singleton's tasks act one at a time, by growing tokens, and end before their release"),
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
