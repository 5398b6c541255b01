package io.leasehold.store.core;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Who and what appears in the tests of the rules: sessions A, B, C with owners a, b, c. */
final class Cast {

  static final String PRINTER = "printer";
  static final SessionId A = new SessionId(1, 0xa);
  static final SessionId B = new SessionId(2, 0xb);
  static final SessionId C = new SessionId(-1, 0xc);

  /** Time to live of leases; sessions live three times as long. */
  static final long TTL = millis(10_000);

  static final long SESSION_TTL = millis(30_000);

  private Cast() {}

  static long millis(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  static String node(SessionId session) {
    return "node-" + Long.toHexString(session.low());
  }

  static Holder holder(SessionId session, String owner) {
    return new Holder(session, node(session), owner);
  }

  static Command acquire(String owner, long acquisitionId) {
    return new Command.Acquire(PRINTER, owner, TTL, acquisitionId, false, false);
  }

  static Command queue(String owner, long acquisitionId) {
    return new Command.Acquire(PRINTER, owner, TTL, acquisitionId, true, false);
  }

  static Command reclaim(String owner, long acquisitionId) {
    return new Command.Acquire(PRINTER, owner, TTL, acquisitionId, false, true);
  }

  static Command release(long token) {
    return new Command.Release(PRINTER, token);
  }

  static Command confirm(long token) {
    return new Command.Confirm(PRINTER, token);
  }

  static Command leave(long acquisitionId) {
    return new Command.Leave(PRINTER, acquisitionId);
  }

  static Command revoke(long token) {
    return new Command.Revoke(PRINTER, token, "why", false);
  }

  static Command revokeUnsafely(long token) {
    return new Command.Revoke(PRINTER, token, "why", true);
  }

  static Command expire(SessionId session, long acquisitionId) {
    return new Command.Expire(PRINTER, session, acquisitionId);
  }

  static Claim claim(SessionId session, long acquisitionId) {
    return new Claim(session, TTL, PRINTER, acquisitionId);
  }

  static HeldLease held(SessionId session, String owner, long token, long acquisitionId) {
    return new HeldLease(
        PRINTER,
        holder(session, owner),
        token,
        TTL,
        acquisitionId,
        OptionalLong.empty(),
        List.of());
  }

  static Event granted(SessionId session, String owner, long token, long acquisitionId) {
    return new Event.Granted(PRINTER, holder(session, owner), token, TTL, acquisitionId);
  }

  static Event released(SessionId session, String owner, long token) {
    return new Event.Released(PRINTER, holder(session, owner), token);
  }

  static Event expired(SessionId session, String owner, long token) {
    return new Event.Expired(PRINTER, holder(session, owner), token);
  }

  static Event takenOver(
      SessionId session, String owner, long token, SessionId by, String byOwner) {
    return new Event.TakenOver(PRINTER, holder(session, owner), token, holder(by, byOwner));
  }

  static Event revoked(SessionId session, String owner, long token, boolean freed) {
    return new Event.Revoked(PRINTER, holder(session, owner), token, "why", freed);
  }

  static Event skipped(SessionId session, String owner, long acquisitionId) {
    return new Event.Skipped(PRINTER, holder(session, owner), acquisitionId);
  }

  static Event sessionEnded(SessionId session) {
    return new Event.SessionEnded(holder(session, ""));
  }
}
