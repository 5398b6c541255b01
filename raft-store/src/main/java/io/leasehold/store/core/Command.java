package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

/**
 * What a log entry asks. Each is safe to apply late or after its session is gone; that it is not
 * applied twice is the batch's concern ({@link Batch}).
 */
public sealed interface Command {

  /**
   * Makes the batch's session known. Must be the only command of its batch.
   *
   * @param node the node's name, for people
   * @param ttlNanos how long the session outlives its last renewal when it holds nothing
   */
  record OpenSession(String node, long ttlNanos) implements Command {
    public OpenSession {
      requireNonNull(node, "node");
    }
  }

  /** Ends the batch's session and frees everything it holds. */
  record CloseSession() implements Command {}

  /**
   * Asks for a lease.
   *
   * @param name which lease
   * @param owner for whom
   * @param ttlNanos for how long past a renewal
   * @param acquisitionId names this acquire within its session for ever; later ones are greater
   * @param queued whether to queue if another holder has it
   * @param reclaim whether the same owner in an older session is to be replaced at once
   */
  record Acquire(
      String name, String owner, long ttlNanos, long acquisitionId, boolean queued, boolean reclaim)
      implements Command {
    public Acquire {
      requireNonNull(name, "name");
      requireNonNull(owner, "owner");
    }
  }

  /** Asks whether the batch's session still holds a lease with this token. */
  record Confirm(String name, long token) implements Command {
    public Confirm {
      requireNonNull(name, "name");
    }
  }

  /** Gives a hold back; no effect on any other hold. */
  record Release(String name, long token) implements Command {
    public Release {
      requireNonNull(name, "name");
    }
  }

  /** Withdraws an acquire: leaves the queue, or gives back what it was granted. */
  record Leave(String name, long acquisitionId) implements Command {
    public Leave {
      requireNonNull(name, "name");
    }
  }

  /** Asks for all that the batch's session holds and waits for. */
  record Reconcile() implements Command {}

  /**
   * Ends a hold on an operator's behalf.
   *
   * @param name which lease
   * @param token which hold
   * @param reason for the holder's log; at most {@link Limits#REASON_CHARS_MAX} characters
   * @param unsafe whether to free the lease while its holder may still believe in it
   */
  record Revoke(String name, long token, String reason, boolean unsafe) implements Command {
    public Revoke {
      requireNonNull(name, "name");
      requireNonNull(reason, "reason");
    }
  }

  /** Proposed by the leader for a claim that looks due; decided here. */
  record Expire(String name, SessionId session, long acquisitionId) implements Command {
    public Expire {
      requireNonNull(name, "name");
      requireNonNull(session, "session");
    }
  }

  /** Proposed by the leader for a session that looks due and has no claims; decided here. */
  record ExpireSession(SessionId session) implements Command {
    public ExpireSession {
      requireNonNull(session, "session");
    }
  }
}
