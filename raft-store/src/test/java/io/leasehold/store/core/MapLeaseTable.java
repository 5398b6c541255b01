package io.leasehold.store.core;

import io.leasehold.store.LeaseReading;
import io.leasehold.store.TableDigest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The table in memory, for tests: behaves as the one on disk does, which the same tests check.
 * Confined to one thread.
 */
public final class MapLeaseTable implements LeaseView, ExpiryView {

  /** The order of names on disk. */
  static final Comparator<String> BY_UTF_8_BYTES =
      (one, other) ->
          Arrays.compareUnsigned(
              one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));

  private StoreState state = StoreState.INITIAL;
  private long appliedTerm;
  private long appliedIndex;
  private final Map<String, HeldLease> leases = new TreeMap<>(BY_UTF_8_BYTES);
  private final Map<SessionId, Session> sessions = new TreeMap<>();
  private final Map<SessionId, List<Event>> news = new TreeMap<>();
  private final Map<SessionId, BatchReply> lastReplies = new TreeMap<>();
  private final TreeSet<Claim> claims = new TreeSet<>();
  private final Map<Claim, Long> revoked = new TreeMap<>();

  /** Everything in a table, to be compared as a whole. */
  public record Contents(
      StoreState state,
      long appliedTerm,
      long appliedIndex,
      Map<String, HeldLease> leases,
      Map<SessionId, Session> sessions,
      Map<SessionId, List<Event>> news,
      Map<SessionId, BatchReply> lastReplies,
      Collection<Claim> claims,
      Map<Claim, Long> revoked) {}

  /** Returns a copy of everything in it. */
  public Contents contents() {
    return new Contents(
        state,
        appliedTerm,
        appliedIndex,
        Map.copyOf(leases),
        Map.copyOf(sessions),
        Map.copyOf(news),
        Map.copyOf(lastReplies),
        List.copyOf(claims),
        Map.copyOf(revoked));
  }

  /** Returns what is in it at any moment, without a copy. */
  Contents view() {
    return new Contents(
        state, appliedTerm, appliedIndex, leases, sessions, news, lastReplies, claims, revoked);
  }

  /** Returns another table with the same contents. */
  public MapLeaseTable copy() {
    MapLeaseTable copy = new MapLeaseTable();
    copy.state = state;
    copy.appliedTerm = appliedTerm;
    copy.appliedIndex = appliedIndex;
    copy.leases.putAll(leases);
    copy.sessions.putAll(sessions);
    copy.news.putAll(news);
    copy.lastReplies.putAll(lastReplies);
    copy.claims.addAll(claims);
    copy.revoked.putAll(revoked);
    return copy;
  }

  public long appliedTerm() {
    return appliedTerm;
  }

  public long appliedIndex() {
    return appliedIndex;
  }

  @Override
  public StoreState state() {
    return state;
  }

  @Override
  public Optional<HeldLease> lease(String name) {
    return Optional.ofNullable(leases.get(name));
  }

  @Override
  public Optional<Session> session(SessionId id) {
    return Optional.ofNullable(sessions.get(id));
  }

  @Override
  public List<Event> news(SessionId id) {
    return news.getOrDefault(id, List.of());
  }

  @Override
  public Optional<BatchReply> lastReply(SessionId id) {
    return Optional.ofNullable(lastReplies.get(id));
  }

  @Override
  public List<Claim> claims(SessionId id) {
    return claimsUpTo(id, Long.MAX_VALUE, Integer.MAX_VALUE);
  }

  @Override
  public List<Session> sessions() {
    return List.copyOf(sessions.values());
  }

  @Override
  public List<Claim> claimsUpTo(SessionId session, long ttlNanos, int limit) {
    return claims.stream()
        .filter(claim -> claim.session().equals(session) && claim.ttlNanos() <= ttlNanos)
        .limit(limit)
        .toList();
  }

  @Override
  public List<Revoked> revoked() {
    return revoked.entrySet().stream()
        .map(entry -> new Revoked(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Returns every lease that is held, in the order of their names. */
  public List<LeaseReading> leases() {
    return leases.values().stream().map(this::reading).toList();
  }

  /** Returns a digest of its contents, if not the one of a table on disk. */
  public TableDigest digest() {
    return new TableDigest(
        appliedIndex, state.leaseTimeNanos(), state.lastToken(), "" + contents().hashCode());
  }

  /** Returns one lease; empty when it is free. */
  public Optional<LeaseReading> find(String name) {
    return lease(name).map(this::reading);
  }

  private LeaseReading reading(HeldLease lease) {
    Session session = session(lease.holder().session()).orElseThrow();
    long remainingNanos = lease.expiryNanos(session.renewedNanos()) - state.leaseTimeNanos();
    return new LeaseReading(lease, Math.max(0, remainingNanos));
  }

  /**
   * Writes what an entry amounts to.
   *
   * @param changes in the order in which they are to be made
   * @param term of the entry
   * @param index of the entry; greater than that of every entry written before
   */
  public void write(List<Change> changes, long term, long index) {
    if (index <= appliedIndex) {
      throw new IllegalStateException("entry %d comes after %d".formatted(index, appliedIndex));
    }
    changes.forEach(this::make);
    appliedTerm = term;
    appliedIndex = index;
  }

  private void make(Change change) {
    if (change instanceof Change.PutState put) {
      state = put.state();
    } else if (change instanceof Change.PutLease put) {
      leases.put(put.lease().name(), put.lease());
    } else if (change instanceof Change.RemoveLease remove) {
      leases.remove(remove.name());
    } else if (change instanceof Change.PutClaim put) {
      claims.add(put.claim());
    } else if (change instanceof Change.RemoveClaim remove) {
      claims.remove(remove.claim());
    } else if (change instanceof Change.PutRevoked put) {
      revoked.put(put.claim(), put.expiryNanos());
    } else if (change instanceof Change.RemoveRevoked remove) {
      revoked.remove(remove.claim());
    } else if (change instanceof Change.PutNews put) {
      if (put.news().isEmpty()) {
        news.remove(put.id());
      } else {
        news.put(put.id(), put.news());
      }
    } else if (change instanceof Change.PutSession put) {
      sessions.put(put.session().id(), put.session());
    } else if (change instanceof Change.RemoveSession remove) {
      sessions.remove(remove.id());
      news.remove(remove.id());
      lastReplies.remove(remove.id());
    } else if (change instanceof Change.PutLastReply put) {
      lastReplies.put(put.id(), put.reply());
    } else {
      throw new IllegalStateException("unknown change: " + change);
    }
  }
}
