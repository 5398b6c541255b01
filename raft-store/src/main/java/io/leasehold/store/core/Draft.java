package io.leasehold.store.core;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * The table as it will be after the entry under way: later commands of a batch see what earlier
 * ones did, and nothing is written. What has been read once is not read again. Confined to one call
 * of {@link LeaseMachine#apply}.
 *
 * <p>Changes come out in the order in which the rows were first touched, on every replica.
 */
final class Draft {

  private final LeaseView table;
  private final Map<String, Row<HeldLease>> leases = new LinkedHashMap<>();
  private final Map<SessionId, Row<Session>> sessions = new LinkedHashMap<>();
  private final Map<SessionId, List<Event>> news = new LinkedHashMap<>();
  private final Map<Claim, Boolean> claims = new LinkedHashMap<>();
  private final Map<Claim, OptionalLong> revoked = new LinkedHashMap<>();
  private final List<Event> events = new ArrayList<>();
  private StoreState state;

  /** A row as it will be, and whether that is other than what the table has. */
  private static final class Row<T> {
    Optional<T> value;
    boolean changed;

    Row(Optional<T> read) {
      this.value = read;
    }

    void become(Optional<T> newValue) {
      value = newValue;
      changed = true;
    }
  }

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
    return leaseRow(name).value;
  }

  void put(HeldLease lease) {
    leaseRow(lease.name()).become(Optional.of(lease));
  }

  void removeLease(String name) {
    leaseRow(name).become(Optional.empty());
  }

  private Row<HeldLease> leaseRow(String name) {
    return leases.computeIfAbsent(name, unread -> new Row<>(table.lease(unread)));
  }

  Optional<Session> session(SessionId id) {
    return sessionRow(id).value;
  }

  void put(Session session) {
    sessionRow(session.id()).become(Optional.of(session));
  }

  void removeSession(SessionId id) {
    sessionRow(id).become(Optional.empty());
    news.remove(id);
  }

  private Row<Session> sessionRow(SessionId id) {
    return sessions.computeIfAbsent(id, unread -> new Row<>(table.session(unread)));
  }

  List<Event> news(SessionId id) {
    List<Event> drafted = news.get(id);
    return drafted != null ? drafted : table.news(id);
  }

  void putNews(SessionId id, List<Event> newNews) {
    news.put(id, newNews);
  }

  /** All claims of a session, in their order. */
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

  /**
   * @param repeatFor whose last reply this is; empty when it is not to be repeated
   */
  Outcome outcome(BatchReply reply, Optional<SessionId> repeatFor) {
    List<Change> changes = new ArrayList<>(4 + leases.size() + claims.size());
    changes.add(new Change.PutState(state));
    leases.forEach(
        (name, row) -> {
          if (row.changed) {
            changes.add(
                row.value
                    .<Change>map(Change.PutLease::new)
                    .orElseGet(() -> new Change.RemoveLease(name)));
          }
        });
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
        (id, row) -> {
          if (row.changed) {
            changes.add(
                row.value
                    .<Change>map(Change.PutSession::new)
                    .orElseGet(() -> new Change.RemoveSession(id)));
          }
        });
    repeatFor.ifPresent(id -> changes.add(new Change.PutLastReply(id, reply)));
    return new Outcome(reply, changes, events);
  }
}
