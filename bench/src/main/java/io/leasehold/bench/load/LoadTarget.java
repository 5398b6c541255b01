package io.leasehold.bench.load;

import java.util.List;

/** A running lease store, as its callers see it. Contenders are safe for one thread each. */
public interface LoadTarget extends AutoCloseable {

  /** Its name in the tables. */
  String name();

  /**
   * Returns somebody who wants a lease.
   *
   * @param lease which lease
   * @param owner who; different owners exclude each other
   */
  Contender contender(String lease, String owner);

  /** All processes that work for it, the callers' among them. */
  List<Long> pids();

  /** Becomes what its name says, should an election have moved the leader meanwhile. */
  default void settle() {}

  /** Whether it is what its name says. */
  default boolean isAsNamed() {
    return true;
  }

  /** Stops what was started, and nothing else. */
  @Override
  void close();
}
