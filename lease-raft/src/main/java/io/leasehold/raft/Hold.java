package io.leasehold.raft;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One grant as this node believes in it. Its end is latched: whatever comes later, a hold that was
 * once seen not alive never lives again. {@link #isAliveAt} and {@link #end} may be called from any
 * thread; neither locks nor allocates.
 */
final class Hold {

  private static final int LIVE = 0;

  /** Somebody has seen that its deadline has passed; nobody has been told of the loss yet. */
  private static final int OVERDUE = 1;

  private static final int ENDED = 2;

  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Hold.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Claimant claimant;
  private final LiveSession session;
  private final long token;
  private final long grantedIndex;
  private final long lifeNanos;
  private final long renewalIntervalNanos;

  private volatile int state = LIVE;

  /**
   * @param grantedIndex the log index by which the store had granted it
   * @param lifeNanos how long it may be believed in after its session's last renewal: the ttl less
   *     the margin
   */
  Hold(
      Claimant claimant,
      LiveSession session,
      long token,
      long grantedIndex,
      long lifeNanos,
      long renewalIntervalNanos) {
    this.claimant = claimant;
    this.session = session;
    this.token = token;
    this.grantedIndex = grantedIndex;
    this.lifeNanos = lifeNanos;
    this.renewalIntervalNanos = renewalIntervalNanos;
  }

  Claimant claimant() {
    return claimant;
  }

  LiveSession session() {
    return session;
  }

  long token() {
    return token;
  }

  long grantedIndex() {
    return grantedIndex;
  }

  long lifeNanos() {
    return lifeNanos;
  }

  long renewalIntervalNanos() {
    return renewalIntervalNanos;
  }

  /** Time from {@code nowNanos} to the deadline; not positive once it has passed. */
  long remainingNanos(long nowNanos) {
    return lifeNanos - (nowNanos - session.renewedNanos());
  }

  /**
   * Whether it may be believed in at {@code nowNanos}, read by the caller before. The latch is read
   * last: an acknowledgement latches every hold whose deadline had passed before it moves the
   * deadline, so a moved deadline is never seen without the latch. Who sees the deadline passed
   * while an acknowledgement is just about to move it leaves a mark, or another look could find the
   * hold alive again.
   */
  boolean isAliveAt(long nowNanos) {
    if (remainingNanos(nowNanos) <= 0) {
      STATE.compareAndSet(this, LIVE, OVERDUE);
      return false;
    }
    return state == LIVE;
  }

  /** Ends it; true for the one call that did. */
  boolean end() {
    return (int) STATE.getAndSet(this, ENDED) != ENDED;
  }
}
