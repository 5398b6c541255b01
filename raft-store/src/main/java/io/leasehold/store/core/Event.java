package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

/** Something that has happened, told in log order on every replica. */
public sealed interface Event {

  /** Whom it concerns: the new holder of a grant, the former holder or waiter otherwise. */
  Holder holder();

  /** The lease became this holder's. */
  record Granted(String name, Holder holder, long token, long ttlNanos, long acquisitionId)
      implements Event {
    public Granted {
      requireNonNull(name, "name");
      requireNonNull(holder, "holder");
    }
  }

  /** Its holder gave it up. */
  record Released(String name, Holder holder, long token) implements Event {
    public Released {
      requireNonNull(name, "name");
      requireNonNull(holder, "holder");
    }
  }

  /** The session was not renewed for the ttl. */
  record Expired(String name, Holder holder, long token) implements Event {
    public Expired {
      requireNonNull(name, "name");
      requireNonNull(holder, "holder");
    }
  }

  /** Another acquire found it expired, or reclaimed it; the grant to the other one follows. */
  record TakenOver(String name, Holder holder, long token, Holder by) implements Event {
    public TakenOver {
      requireNonNull(name, "name");
      requireNonNull(holder, "holder");
      requireNonNull(by, "by");
    }
  }

  /** An operator ended it; the lease itself is free when {@code freed}, or with a later event. */
  record Revoked(String name, Holder holder, long token, String reason, boolean freed)
      implements Event {
    public Revoked {
      requireNonNull(name, "name");
      requireNonNull(holder, "holder");
      requireNonNull(reason, "reason");
    }
  }

  /** A waiter lost its place because its session was not renewed for the ttl it asked for. */
  record Skipped(String name, Holder holder, long acquisitionId) implements Event {
    public Skipped {
      requireNonNull(name, "name");
      requireNonNull(holder, "holder");
    }
  }

  /** A session was opened. Its holder has an empty owner. */
  record SessionOpened(Holder holder) implements Event {
    public SessionOpened {
      requireNonNull(holder, "holder");
    }
  }

  /**
   * A session was closed or ran out; everything it held has ended before. Its holder has an empty
   * owner.
   */
  record SessionEnded(Holder holder) implements Event {
    public SessionEnded {
      requireNonNull(holder, "holder");
    }
  }
}
