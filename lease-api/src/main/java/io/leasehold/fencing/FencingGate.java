package io.leasehold.fencing;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets writes with the greatest fencing token so far pass, one at a time, and refuses those with a
 * smaller one. For a resource that one process serves to all: the gate stands there, not with the
 * holders.
 *
 * <p>It remembers the token in memory. What outlives the process has to keep it with the data, as
 * {@link FencedFile} does, or to begin with the last one. Safe for many threads.
 */
public final class FencingGate {

  private final Lock passing = new ReentrantLock();
  private long seen;

  /** A gate that has seen no token. */
  public FencingGate() {
    this(Tokens.NONE);
  }

  /**
   * @param seen the greatest token seen before, zero for none
   */
  public FencingGate(long seen) {
    this.seen = seen;
  }

  /**
   * Runs a write unless a greater token has been here. Other writes wait for its end, so that none
   * with a smaller token is still under way when one with a greater token begins. A write that
   * throws was let through all the same.
   *
   * @throws StaleTokenException when a greater token has been here; the write is not run
   * @throws IllegalArgumentException when the token is not positive
   */
  public void admit(long token, Runnable write) {
    Tokens.requireValid(token);
    passing.lock();
    try {
      Tokens.refuseStale(token, seen);
      seen = token;
      write.run();
    } finally {
      passing.unlock();
    }
  }
}
