package io.leasehold.raft;

/**
 * One call of acquire that shares in an attempt.
 *
 * @param future what the caller waits for
 * @param waits whether it waits in the queue at all
 * @param waitUntilNanos when its wait ends
 */
record AcquireCaller(Completion<Boolean> future, boolean waits, long waitUntilNanos) {

  /** Whether it has cancelled. */
  boolean isGone() {
    return future.isDone();
  }

  AcquireCaller waitingNoMore() {
    return new AcquireCaller(future, false, waitUntilNanos);
  }

  boolean isOverAt(long nowNanos) {
    return nowNanos - waitUntilNanos >= 0;
  }
}
