package io.leasehold.store.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What holds of a table after every entry. Plain checks, for there are very many of them. */
final class Invariants {

  private Invariants() {}

  static void check(StoreState before, MapLeaseTable table) {
    MapLeaseTable.Contents contents = table.view();
    timeAndTokensNeverFall(before, contents.state());
    countsAgree(contents);
    tokensAreUniqueAndGranted(contents);
    everyHolderAndWaiterHasASession(contents);
    nobodyWaitsTwice(contents);
    claimsAreExactlyHoldsAndPlaces(contents);
    revokedRowsAreExactlyRevokedHolds(contents);
    digestsAreOfHoldsThatAreNotRevoked(contents);
    newsAndRepliesBelongToSessions(contents);
  }

  private static void timeAndTokensNeverFall(StoreState before, StoreState after) {
    require(after.leaseTimeNanos() >= before.leaseTimeNanos(), "lease time falls", after);
    require(after.lastToken() >= before.lastToken(), "the last token falls", after);
    require(after.sessionsOpened() >= before.sessionsOpened(), "sessions opened falls", after);
  }

  private static void countsAgree(MapLeaseTable.Contents contents) {
    StoreState state = contents.state();
    require(state.leases() == contents.leases().size(), "leases are not counted", contents);
    require(state.sessions() == contents.sessions().size(), "sessions are not counted", contents);
  }

  private static void tokensAreUniqueAndGranted(MapLeaseTable.Contents contents) {
    Set<Long> tokens = new HashSet<>();
    for (HeldLease lease : contents.leases().values()) {
      require(tokens.add(lease.token()), "two holds have one token", lease);
      require(
          lease.token() > 0 && lease.token() <= contents.state().lastToken(),
          "a token was never granted",
          lease);
    }
  }

  private static void everyHolderAndWaiterHasASession(MapLeaseTable.Contents contents) {
    for (HeldLease lease : contents.leases().values()) {
      require(contents.sessions().containsKey(sessionOf(lease)), "a holder has no session", lease);
      for (Waiter waiter : lease.queue()) {
        require(
            contents.sessions().containsKey(waiter.holder().session()),
            "a waiter has no session",
            waiter);
      }
    }
  }

  private static void nobodyWaitsTwice(MapLeaseTable.Contents contents) {
    for (HeldLease lease : contents.leases().values()) {
      Set<Holder> holders = new HashSet<>(List.of(lease.holder()));
      for (Waiter waiter : lease.queue()) {
        require(holders.add(waiter.holder()), "somebody waits twice or for itself", lease);
      }
    }
  }

  private static void claimsAreExactlyHoldsAndPlaces(MapLeaseTable.Contents contents) {
    List<Claim> claims = new ArrayList<>();
    for (HeldLease lease : contents.leases().values()) {
      claims.add(lease.claim());
      lease.queue().forEach(waiter -> claims.add(waiter.claimOn(lease.name())));
    }
    require(
        claims.size() == contents.claims().size()
            && new HashSet<>(claims).equals(new HashSet<>(contents.claims())),
        "claims are not exactly the holds and places",
        contents);
  }

  private static void revokedRowsAreExactlyRevokedHolds(MapLeaseTable.Contents contents) {
    Map<Claim, Long> revoked = new HashMap<>();
    for (HeldLease lease : contents.leases().values()) {
      lease.revokedExpiryNanos().ifPresent(expiry -> revoked.put(lease.claim(), expiry));
    }
    require(contents.revoked().equals(revoked), "revoked rows are not the revoked holds", contents);
  }

  private static void digestsAreOfHoldsThatAreNotRevoked(MapLeaseTable.Contents contents) {
    Map<SessionId, Long> digests = new HashMap<>();
    for (HeldLease lease : contents.leases().values()) {
      if (!lease.isRevoked()) {
        long others = digests.getOrDefault(sessionOf(lease), 0L);
        digests.put(sessionOf(lease), Session.digestWith(others, lease.token()));
      }
    }
    for (Session session : contents.sessions().values()) {
      require(
          session.heldDigest() == digests.getOrDefault(session.id(), 0L),
          "a digest is not of what is held",
          session);
    }
  }

  private static void newsAndRepliesBelongToSessions(MapLeaseTable.Contents contents) {
    Set<SessionId> sessions = contents.sessions().keySet();
    require(sessions.containsAll(contents.news().keySet()), "news of no session", contents);
    require(sessions.equals(contents.lastReplies().keySet()), "a reply too many or few", contents);
    require(
        contents.news().values().stream().noneMatch(List::isEmpty),
        "an empty row of news",
        contents);
  }

  private static SessionId sessionOf(HeldLease lease) {
    return lease.holder().session();
  }

  static void require(boolean holds, String what, Object where) {
    if (!holds) {
      throw new AssertionError(what + ": " + where);
    }
  }
}
