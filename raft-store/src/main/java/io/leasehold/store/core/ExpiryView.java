package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** What the leader looks at to find what is due ({@link Expiry}): the table at one moment. */
public interface ExpiryView {

  /** The numbers of the whole store. */
  StoreState state();

  /** Every session. */
  List<Session> sessions();

  /**
   * The claims of a session that last at most this long past its last renewal, shortest first.
   *
   * @param ttlNanos how long
   * @param limit most to return
   */
  List<Claim> claimsUpTo(SessionId session, long ttlNanos, int limit);

  /** Every lease that is revoked and not free yet. */
  List<Revoked> revoked();

  /**
   * A hold that an operator has ended.
   *
   * @param claim the claim that it ends with
   * @param expiryNanos when, in lease time
   */
  record Revoked(Claim claim, long expiryNanos) {
    public Revoked {
      requireNonNull(claim, "claim");
    }
  }
}
