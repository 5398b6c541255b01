package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** One durable write. All changes of an entry are written together with its index, or none. */
public sealed interface Change {

  /** The numbers of the whole store. */
  record PutState(StoreState state) implements Change {
    public PutState {
      requireNonNull(state, "state");
    }
  }

  /** A lease is held, or its queue has changed. */
  record PutLease(HeldLease lease) implements Change {
    public PutLease {
      requireNonNull(lease, "lease");
    }
  }

  /** A lease is free. */
  record RemoveLease(String name) implements Change {
    public RemoveLease {
      requireNonNull(name, "name");
    }
  }

  /** A session. */
  record PutSession(Session session) implements Change {
    public PutSession {
      requireNonNull(session, "session");
    }
  }

  /** A session has ended; its news and its last reply go with it. */
  record RemoveSession(SessionId id) implements Change {
    public RemoveSession {
      requireNonNull(id, "id");
    }
  }

  /** News that wait for a session's next batch; an empty list removes them. */
  record PutNews(SessionId id, List<Event> news) implements Change {
    public PutNews {
      requireNonNull(id, "id");
      news = List.copyOf(news);
    }
  }

  /** The reply to a session's last batch. */
  record PutLastReply(SessionId id, BatchReply reply) implements Change {
    public PutLastReply {
      requireNonNull(id, "id");
      requireNonNull(reply, "reply");
    }
  }

  /** A claim begins. */
  record PutClaim(Claim claim) implements Change {
    public PutClaim {
      requireNonNull(claim, "claim");
    }
  }

  /** A claim ends. */
  record RemoveClaim(Claim claim) implements Change {
    public RemoveClaim {
      requireNonNull(claim, "claim");
    }
  }

  /** A revoked lease has to be looked at when this lease time is reached. */
  record PutRevoked(Claim claim, long expiryNanos) implements Change {
    public PutRevoked {
      requireNonNull(claim, "claim");
    }
  }

  /** A revoked lease has ended. */
  record RemoveRevoked(Claim claim) implements Change {
    public RemoveRevoked {
      requireNonNull(claim, "claim");
    }
  }
}
