package io.leasehold.store.core;

import java.util.List;
import java.util.Optional;

/**
 * What the machine may read: the table as the entries applied so far have left it. Read on the
 * thread that applies; reads perform no writes.
 */
public interface LeaseView {

  /** The numbers of the whole store; {@link StoreState#INITIAL} before the first entry. */
  StoreState state();

  /** A lease that is held; empty when it is free. */
  Optional<HeldLease> lease(String name);

  /** A session that is known. */
  Optional<Session> session(SessionId id);

  /** The news that wait for a session's next batch, oldest first; empty when there are none. */
  List<Event> news(SessionId id);

  /** The reply to a session's last batch. */
  Optional<BatchReply> lastReply(SessionId id);

  /** All claims of a session, in any order. */
  List<Claim> claims(SessionId id);
}
