package io.leasehold.singleton;

import java.time.Duration;

/**
 * What a task runs under: one hold of its lease. When that ends it stays ended, also once the lease
 * is held again. Safe for many threads.
 */
public interface SingletonContext {

  /** Returns the hold's token, greater than that of every task before: send it to resources. */
  long fencingToken();

  /**
   * Returns whether the task may act: not cancelled, and the lease {@linkplain
   * io.leasehold.Lease#checkAlive() provably held}. To be asked before each step that must not be
   * done by two; local, and cheap. Once false, it stays false.
   */
  boolean checkAlive();

  /**
   * Returns the time until the local deadline, which grows with each renewal; zero once {@link
   * #checkAlive()} is false.
   */
  Duration remaining();

  /** Returns whether the task has been told to end: its lease is lost, or to be given back. */
  boolean isCancelled();

  /**
   * Has something done when the task is cancelled, at once if it is already: closing a socket,
   * completing a future. It must not block, runs on any thread, and at most once; what it throws is
   * logged.
   */
  void onCancel(Runnable action);
}
