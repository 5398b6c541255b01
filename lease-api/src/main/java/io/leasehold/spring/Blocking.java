package io.leasehold.spring;

/** A call that waits, and can be made again after an interrupt. */
@FunctionalInterface
interface Blocking {

  boolean call() throws InterruptedException;

  /** Makes the call until no interrupt ends it; an interrupt is kept for whoever comes next. */
  static boolean uninterruptibly(Blocking blocking) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return blocking.call();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
