package io.leasehold;

import static java.util.Objects.requireNonNull;

/**
 * What a former holder is told about the end of its hold.
 *
 * @param lease the lease's name
 * @param owner the owner that lost it
 * @param fencingToken the token of the hold that ended
 * @param reason why it ended
 * @param message one sentence for people
 */
public record LeaseLost(
    String lease, String owner, long fencingToken, Reason reason, String message) {

  public LeaseLost {
    requireNonNull(lease, "lease");
    requireNonNull(owner, "owner");
    requireNonNull(reason, "reason");
    requireNonNull(message, "message");
  }

  /** Why a hold ended other than by its own release. */
  public enum Reason {
    /** The store ended it: the session was not renewed for the lease's time to live. */
    EXPIRED,
    /** The local deadline passed while the store was silent. */
    UNREACHABLE,
    /**
     * Another holder was granted the lease after it had run out, or the same owner reclaimed it.
     */
    TAKEN_OVER,
    /** An operator ended it. */
    REVOKED,
    /** The store does not know this process' session any more. */
    SESSION_LOST,
    /** The provider ended without being able to release it. */
    CLOSED
  }
}
