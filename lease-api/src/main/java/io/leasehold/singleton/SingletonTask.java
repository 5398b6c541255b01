package io.leasehold.singleton;

/** The work of a {@link Singleton}. */
@FunctionalInterface
public interface SingletonTask {

  /**
   * Does the work, on a thread of its own, and returns soon after {@link
   * SingletonContext#isCancelled()} has become true; that thread is interrupted then. Until it
   * returns, the lease is neither given back nor competed for, so one that does not heed the
   * cancellation keeps this node from ever leading again.
   *
   * <p>Returning or throwing while the lease is held gives it back; this node competes again after
   * the {@linkplain Singleton.Builder#retryInterval retry interval}.
   *
   * @throws Exception as it likes; logged
   */
  void run(SingletonContext context) throws Exception;
}
