package io.leasehold.raft;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * One grant as this node believes in it. Its end is latched: whatever comes later, an ended hold
 * never lives again. {@link #isAliveAt} and {@link #end} may be called from any thread; neither
 * locks nor allocates.
 */
final class Hold {

  private static final VarHandle ENDED;

  static {
    try {
      ENDED = MethodHandles.lookup().findVarHandle(Hold.class, "ended", boolean.class);
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

  @SuppressWarnings("UnusedVariable") // written through ENDED
  private volatile boolean ended;

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
   * deadline, so a moved deadline is never seen without the latch.
   */
  boolean isAliveAt(long nowNanos) {
    return remainingNanos(nowNanos) > 0 && !ended;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Ends it; true for the one call that did. */
  boolean end() {
    return ENDED.compareAndSet(this, false, true);
  }
}
