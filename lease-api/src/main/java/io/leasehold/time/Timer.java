package io.leasehold.time;

import java.time.Duration;

/** Runs tasks later, one at a time. */
public interface Timer {

  /**
   * Runs a task once, not before the delay has passed.
   *
   * @return cancels the task if it has not begun
   */
  Cancellable schedule(Duration delay, Runnable task);

  /** Something that can be called off. */
  @FunctionalInterface
  interface Cancellable {

    /** Calls it off; idempotent, no effect once it has begun. */
    void cancel();
  }
}
