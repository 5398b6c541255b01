package io.leasehold.raft.meters;

import io.leasehold.LeaseLost;

/**
 * Is told what happens on the holder's side of a node. Where nobody measures, nothing is done.
 * Calls come on any thread unless they say otherwise, and must return at once.
 */
public interface HolderMeters {

  /** Measures nothing. */
  HolderMeters NONE = new HolderMeters() {};

  /** How a call of acquire ended for its caller. */
  enum AcquireOutcome {
    ACQUIRED,
    /** Another holder had it. */
    REFUSED,
    /** It certainly had no effect. */
    UNAVAILABLE,
    /** It may have had one. */
    INDETERMINATE,
    /** Its caller did not wait for the end. */
    CANCELLED
  }

  /** How a call of release ended for its caller. */
  enum ReleaseOutcome {
    RELEASED,
    /** There was no hold when it was called. */
    NOT_HELD,
    INDETERMINATE
  }

  /** What became of a batch, all of which renew. */
  enum RenewalOutcome {
    ACKNOWLEDGED,
    /**
     * It was answered, and no deadline counts from it: what is held has to be compared with the
     * store first, or the clock stood still meanwhile.
     */
    UNCONFIRMED,
    /** The store did not know the session any more. */
    SESSION_LOST,
    /** The store took no part of it, because of a limit. */
    REFUSED,
    /** It never reached the log, and goes again in another batch. */
    REJECTED
  }

  /** Why a batch was handed over once more. */
  enum AttemptFailure {
    FAILED,
    /** Too long without an answer. */
    UNANSWERED
  }

  /** Who has refused a call because it has too much already. */
  enum Limit {
    /** This node: too many commands wait to be sent. */
    NODE,
    /** The store: too many waiters, leases or sessions. */
    STORE
  }

  /** Why a watcher was told all that is held anew. */
  enum Reread {
    /** It was too slow, and has missed what happened meanwhile. */
    BEHIND,
    /** The leader has sent this member a snapshot. */
    REPLACED
  }

  /**
   * A call of acquire has ended.
   *
   * @param queued whether it was ready to wait
   * @param nanos since it was called
   */
  default void acquireEnded(String lease, boolean queued, AcquireOutcome outcome, long nanos) {}

  /** A call of release has ended. */
  default void releaseEnded(String lease, ReleaseOutcome outcome, long nanos) {}

  /**
   * A batch has come back. On the node's strand.
   *
   * @param nanos since it was first handed over
   */
  default void renewalEnded(RenewalOutcome outcome, long nanos) {}

  /**
   * The deadlines have moved. On the node's strand.
   *
   * @param leftNanos what was left until the nearest of them
   * @param lifeNanos what there is between a renewal and that one
   */
  default void deadlineMoved(long leftNanos, long lifeNanos) {}

  /** A batch was handed over once more. On the node's strand. */
  default void attemptFailed(AttemptFailure cause) {}

  /** A batch of so many commands goes. On the node's strand. */
  default void batchSent(int commands) {}

  /** So many leases are held here now. On the node's strand. */
  default void held(int leases) {}

  /** So many owners here have a place in a queue now. On the node's strand. */
  default void waiting(int owners) {}

  /** So many commands wait to be sent now. On the node's strand. */
  default void unsent(int commands) {}

  /** A hold was lost. */
  default void lost(String lease, LeaseLost.Reason reason) {}

  /** A waiter here was handed a lease. On the node's strand. */
  default void handedOver(String lease) {}

  /** A call was refused by a limit. On the node's strand. */
  default void limitReached(Limit limit) {}

  /** A watcher begins anew. On the node's strand. */
  default void reread(Reread cause) {}
}
