package io.leasehold.bench;

import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Change;
import io.leasehold.store.core.Claim;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.HeldLease;
import io.leasehold.store.core.LeaseView;
import io.leasehold.store.core.Session;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.core.StoreState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The cheapest table that there can be, so that what is measured on it are the rules. It keeps what
 * acquires and releases change. Confined to one thread.
 */
final class HashLeaseTable implements LeaseView {

  private final Map<String, HeldLease> leases = new HashMap<>();
  private final Map<SessionId, Session> sessions = new HashMap<>();
  private final Map<SessionId, BatchReply> lastReplies = new HashMap<>();
  private final Set<Claim> claims = new HashSet<>();
  private StoreState state = StoreState.INITIAL;

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
    return List.of();
  }

  @Override
  public Optional<BatchReply> lastReply(SessionId id) {
    return Optional.ofNullable(lastReplies.get(id));
  }

  @Override
  public List<Claim> claims(SessionId id) {
    return claims.stream().filter(claim -> claim.session().equals(id)).toList();
  }

  /** Makes the changes that an entry amounts to. */
  void write(List<Change> changes) {
    changes.forEach(this::make);
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
    } else if (change instanceof Change.PutSession put) {
      sessions.put(put.session().id(), put.session());
    } else if (change instanceof Change.PutLastReply put) {
      lastReplies.put(put.id(), put.reply());
    } else {
      throw new IllegalStateException("neither an acquire nor a release changes this: " + change);
    }
  }
}
