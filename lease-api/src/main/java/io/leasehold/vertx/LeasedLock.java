package io.leasehold.vertx;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.Subscription;
import io.vertx.core.shareddata.Lock;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A lock that has been granted; used for one hold. Safe for many threads. */
public final class LeasedLock implements Lock {

  private final Lease lease;
  private final long fencingToken;

  LeasedLock(Lease lease, long fencingToken) {
    this.lease = lease;
    this.fencingToken = fencingToken;
  }

  /**
   * Releases the lock; the answer is not waited for. Does nothing when it has been released or
   * lost. A release that gets no answer is repeated in the background, until the time to live has
   * run out.
   */
  @Override
  public void release() {
    CompletionStage<Void> unused = lease.release();
  }

  /** Returns whether the lock can be proved to be held; see {@link Lease#checkAlive()}. */
  public boolean checkAlive() {
    return lease.checkAlive();
  }

  /** Returns the fencing token of the grant, also after it was released or lost. */
  public long fencingToken() {
    return fencingToken;
  }

  /** Registers a handler for the loss of the lock; see {@link Lease#onLost}. */
  public Subscription onLost(Consumer<LeaseLost> handler) {
    return lease.onLost(handler);
  }
}
