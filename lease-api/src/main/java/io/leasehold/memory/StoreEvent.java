package io.leasehold.memory;

import io.leasehold.LeaseEvent;

/**
 * Something that happened in the store. Immutable.
 *
 * @param kind what
 * @param name to which lease
 * @param claim whom it concerns: the new holder of a grant, the former holder or waiter otherwise
 * @param token that hold's token; 0 for a waiter
 * @param message one sentence for people
 */
record StoreEvent(Kind kind, String name, Claim claim, long token, String message) {

  enum Kind {
    GRANTED,
    RELEASED,
    EXPIRED,
    TAKEN_OVER,
    REVOKED,
    /** A waiter lost its place because its session was not renewed for its ttl. */
    SKIPPED
  }

  /** The form observers see; must not be asked of a skipped waiter, which they do not see. */
  LeaseEvent forObservers() {
    return new LeaseEvent(
        switch (kind) {
          case GRANTED -> LeaseEvent.Kind.GRANTED;
          case RELEASED -> LeaseEvent.Kind.RELEASED;
          case EXPIRED -> LeaseEvent.Kind.EXPIRED;
          case TAKEN_OVER -> LeaseEvent.Kind.TAKEN_OVER;
          case REVOKED -> LeaseEvent.Kind.REVOKED;
          case SKIPPED -> throw new IllegalStateException("observers do not see waiters: " + this);
        },
        name,
        claim.owner(),
        claim.session().node().name(),
        token);
  }
}
