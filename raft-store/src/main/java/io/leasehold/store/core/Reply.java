package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** What became of one command. */
public sealed interface Reply {

  /** The session is known. */
  record SessionOpened() implements Reply {}

  /** The session has ended, and all it held is free. */
  record SessionClosed() implements Reply {}

  /** The lease is the asker's, with this token. */
  record Granted(long token) implements Reply {}

  /** The asker has a place in the queue; the grant will be news. */
  record Queued() implements Reply {}

  /** Another holder has it. */
  record HeldByOther(Holder holder, long token) implements Reply {
    public HeldByOther {
      requireNonNull(holder, "holder");
    }
  }

  /** The asker still holds it with the token it named. */
  record Confirmed() implements Reply {}

  /** A hold with this token has ended by this command. */
  record Released(long token) implements Reply {}

  /** The place in the queue is given up. */
  record Left() implements Reply {}

  /** There was nothing of the kind to confirm, release, leave or revoke. */
  record NotHeld() implements Reply {}

  /** The hold is revoked. */
  record Revoked() implements Reply {}

  /**
   * Everything the session holds and waits for.
   *
   * @param holds without those that are revoked
   * @param waiting the acquisition ids of its places in queues
   */
  record Held(List<Hold> holds, List<Long> waiting) implements Reply {
    public Held {
      holds = List.copyOf(holds);
      waiting = List.copyOf(waiting);
    }
  }

  /** One lease of a session: enough to know the acquire again that it was granted to. */
  record Hold(String name, String owner, long token, long acquisitionId) {
    public Hold {
      requireNonNull(name, "name");
      requireNonNull(owner, "owner");
    }
  }

  /** The leader's proposal has been decided, for or against. */
  record Decided() implements Reply {}

  /** The command had no effect, for a reason that is not another holder. */
  record Refused(String reason) implements Reply {
    public Refused {
      requireNonNull(reason, "reason");
    }
  }
}
