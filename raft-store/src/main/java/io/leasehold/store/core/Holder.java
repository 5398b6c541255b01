package io.leasehold.store.core;

import static java.util.Objects.requireNonNull;

/**
 * Whom a lease is granted to, or who waits for it. Ownership is by session: the same owner in two
 * sessions is two holders.
 *
 * @param session the node's incarnation
 * @param node the node's name, for people
 * @param owner the user's own name for the claimant
 */
public record Holder(SessionId session, String node, String owner) {

  public Holder {
    requireNonNull(session, "session");
    requireNonNull(node, "node");
    requireNonNull(owner, "owner");
  }
}
