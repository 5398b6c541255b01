package io.leasehold.holder;

import io.leasehold.LeaseLost;
import io.leasehold.time.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A store with one record for each lease, as a server would keep it. Safe for many threads. */
final class FakeStore {

  /** Who holds a lease: the claim is the identity. */
  record Entry(Object claim, String owner, String node, long token, long expiryNanos) {}

  private final Ticker ticker;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Map<String, List<Runnable>> watchers = new HashMap<>();
  private long lastToken;

  FakeStore(Ticker ticker) {
    this.ticker = ticker;
  }

  synchronized OptionalLong claim(
      String name, Object claim, String owner, String node, Duration ttl) {
    if (find(name).isPresent()) {
      return OptionalLong.empty();
    }
    lastToken++;
    entries.put(name, new Entry(claim, owner, node, lastToken, ticker.nanos() + ttl.toNanos()));
    return OptionalLong.of(lastToken);
  }

  synchronized Optional<LeaseLost.Reason> renew(String name, Object claim, Duration ttl) {
    Entry expired = entries.get(name);
    Entry entry = find(name).orElse(null);
    if (entry != null && entry.claim() == claim) {
      long expiryNanos = ticker.nanos() + ttl.toNanos();
      entries.put(name, new Entry(claim, entry.owner(), entry.node(), entry.token(), expiryNanos));
      return Optional.empty();
    }
    if (entry != null) {
      return Optional.of(LeaseLost.Reason.TAKEN_OVER);
    }
    return Optional.of(expired == null ? LeaseLost.Reason.REVOKED : LeaseLost.Reason.EXPIRED);
  }

  void giveBack(String name, Object claim) {
    free(name, find(name).filter(entry -> entry.claim() == claim).orElse(null));
  }

  boolean revoke(String name, long token) {
    return free(name, find(name).filter(entry -> entry.token() == token).orElse(null));
  }

  private boolean free(String name, @Nullable Entry entry) {
    List<Runnable> told;
    synchronized (this) {
      if (entry == null || !entries.remove(name, entry)) {
        return false;
      }
      told = List.copyOf(watchers.getOrDefault(name, List.of()));
    }
    told.forEach(Runnable::run);
    return true;
  }

  /** Returns who has it, if its time to live has not passed. */
  synchronized Optional<Entry> find(String name) {
    Entry entry = entries.get(name);
    if (entry != null && ticker.nanos() - entry.expiryNanos() >= 0) {
      entries.remove(name);
      entry = null;
    }
    return Optional.ofNullable(entry);
  }

  synchronized void watch(String name, Runnable freed) {
    watchers.computeIfAbsent(name, absent -> new CopyOnWriteArrayList<>()).add(freed);
  }

  synchronized void unwatch(String name, Runnable freed) {
    watchers.getOrDefault(name, List.of()).remove(freed);
  }

  /** How many wait: each has a watch. */
  synchronized int waiters(String name) {
    return watchers.getOrDefault(name, List.of()).size();
  }
}
