package io.leasehold.fencing;

/**
 * A write was refused, and had no effect: a later holder of the lease has been here. Whoever gets
 * it has lost the lease, and should stop; trying again is pointless until it is acquired anew.
 */
public final class StaleTokenException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final long refused;
  private final long seen;

  public StaleTokenException(long refused, long seen) {
    super("fencing token %d is stale: %d has been seen".formatted(refused, seen));
    this.refused = refused;
    this.seen = seen;
  }

  /** Returns the token that was refused. */
  public long refused() {
    return refused;
  }

  /** Returns the greatest token that the resource had seen. */
  public long seen() {
    return seen;
  }
}
