package io.leasehold.lock;

/**
 * The lease was lost before the lock was unlocked: the end of what was done under it was not
 * protected, and another holder may have begun meanwhile. The lock is unlocked all the same.
 */
public final class LockLostException extends IllegalMonitorStateException {

  private static final long serialVersionUID = 1L;

  private final long fencingToken;

  LockLostException(String lease, long fencingToken) {
    super(
        "lease %s was lost while it was locked with fencing token %d"
            .formatted(lease, fencingToken));
    this.fencingToken = fencingToken;
  }

  /** Returns the token of the grant that was lost. */
  public long fencingToken() {
    return fencingToken;
  }
}
