package io.leasehold.store.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The table as it will be after the entry under way: later commands of a batch see what earlier
 * ones did, and nothing is written. Confined to one call of {@link LeaseMachine#apply}.
 */
final class Draft {

  private final LeaseView table;
  private final Map<String, Optional<HeldLease>> readLeases = new HashMap<>();
  private final Map<SessionId, Optional<Session>> readSessions = new HashMap<>();
  private final Map<String, Optional<HeldLease>> leases = new LinkedHashMap<>();
  private final Map<SessionId, Optional<Session>> sessions = new LinkedHashMap<>();
  private final Map<SessionId, List<Event>> news = new LinkedHashMap<>();
  private final TreeMap<Claim, Boolean> claims = new TreeMap<>();
  private final TreeMap<Claim, OptionalLong> revoked = new TreeMap<>();
  private final List<Event> events = new ArrayList<>();
  private StoreState state;

  Draft(LeaseView table, Entry entry) {
    this.table = table;
    this.state = table.state().at(entry);
  }

  StoreState state() {
    return state;
  }

  void state(StoreState newState) {
    state = newState;
  }

  long leaseTimeNanos() {
    return state.leaseTimeNanos();
  }

  Optional<HeldLease> lease(String name) {
    Optional<HeldLease> drafted = leases.get(name);
    return drafted != null ? drafted : readLeases.computeIfAbsent(name, table::lease);
  }

  void put(HeldLease lease) {
    leases.put(lease.name(), Optional.of(lease));
  }

  void removeLease(String name) {
    leases.put(name, Optional.empty());
  }

  Optional<Session> session(SessionId id) {
    Optional<Session> drafted = sessions.get(id);
    return drafted != null ? drafted : readSessions.computeIfAbsent(id, table::session);
  }

  void put(Session session) {
    sessions.put(session.id(), Optional.of(session));
  }

  void removeSession(SessionId id) {
    sessions.put(id, Optional.empty());
    news.remove(id);
  }

  List<Event> news(SessionId id) {
    List<Event> drafted = news.get(id);
    return drafted != null ? drafted : table.news(id);
  }

  void putNews(SessionId id, List<Event> newNews) {
    news.put(id, newNews);
  }

  List<Claim> claims(SessionId id) {
    TreeSet<Claim> merged = new TreeSet<>(table.claims(id));
    claims.forEach(
        (claim, present) -> {
          if (claim.session().equals(id)) {
            if (present) {
              merged.add(claim);
            } else {
              merged.remove(claim);
            }
          }
        });
    return List.copyOf(merged);
  }

  void putClaim(Claim claim) {
    claims.put(claim, true);
  }

  void removeClaim(Claim claim) {
    claims.put(claim, false);
  }

  void putRevoked(Claim claim, long expiryNanos) {
    revoked.put(claim, OptionalLong.of(expiryNanos));
  }

  void removeRevoked(Claim claim) {
    revoked.put(claim, OptionalLong.empty());
  }

  void add(Event event) {
    events.add(event);
  }

  Optional<BatchReply> lastReply(SessionId id) {
    return table.lastReply(id);
  }

  Outcome outcome(BatchReply reply, Optional<SessionId> repeatFor) {
    List<Change> changes = new ArrayList<>();
    changes.add(new Change.PutState(state));
    leases.forEach(
        (name, lease) ->
            changes.add(
                lease.isPresent()
                    ? new Change.PutLease(lease.get())
                    : new Change.RemoveLease(name)));
    claims.forEach(
        (claim, present) ->
            changes.add(present ? new Change.PutClaim(claim) : new Change.RemoveClaim(claim)));
    revoked.forEach(
        (claim, expiry) ->
            changes.add(
                expiry.isPresent()
                    ? new Change.PutRevoked(claim, expiry.getAsLong())
                    : new Change.RemoveRevoked(claim)));
    news.forEach((id, pending) -> changes.add(new Change.PutNews(id, pending)));
    sessions.forEach(
        (id, session) ->
            changes.add(
                session.isPresent()
                    ? new Change.PutSession(session.get())
                    : new Change.RemoveSession(id)));
    repeatFor.ifPresent(id -> changes.add(new Change.PutLastReply(id, reply)));
    return new Outcome(reply, changes, events);
  }
}
