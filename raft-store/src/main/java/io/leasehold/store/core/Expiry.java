package io.leasehold.store.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds what the leader should propose to expire. Only a proposal: what has been renewed, released
 * or granted anew meanwhile is left alone when the entry is applied.
 */
public final class Expiry {

  private Expiry() {}

  /**
   * Returns commands for a batch of the store's own; none when nothing is due.
   *
   * @param view the table at a moment
   * @param leaseTimeNanos the leader's reading of lease time, at least the table's
   * @param limit most commands to return
   */
  public static List<Command> due(ExpiryView view, long leaseTimeNanos, int limit) {
    List<Command> due = new ArrayList<>();
    for (ExpiryView.Revoked revoked : view.revoked()) {
      if (due.size() < limit && leaseTimeNanos >= revoked.expiryNanos()) {
        due.add(expire(revoked.claim()));
      }
    }
    for (Session session : view.sessions()) {
      if (due.size() >= limit) {
        break;
      }
      addDue(due, session, view, leaseTimeNanos, limit);
    }
    return due;
  }

  private static void addDue(
      List<Command> due, Session session, ExpiryView view, long leaseTimeNanos, int limit) {
    long silentNanos = leaseTimeNanos - session.renewedNanos();
    for (Claim claim : view.claimsUpTo(session.id(), silentNanos, limit - due.size())) {
      due.add(expire(claim));
    }
    // Refused while it has claims; its own proposal comes once they have ended.
    if (due.size() < limit
        && !session.outlives(session.ttlNanos(), leaseTimeNanos)
        && view.claimsUpTo(session.id(), Long.MAX_VALUE, 1).isEmpty()) {
      due.add(new Command.ExpireSession(session.id()));
    }
  }

  private static Command expire(Claim claim) {
    return new Command.Expire(claim.name(), claim.session(), claim.acquisitionId());
  }
}
