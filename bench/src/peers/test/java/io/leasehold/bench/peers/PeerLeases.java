package io.leasehold.bench.peers;

import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A node of a peer as a provider of leases, as thin as can be: what a peer cannot do is not made up
 * for here, so that the rules meet the peer.
 */
final class PeerLeases implements LeaseProvider {

  private final PeerStore store;
  private final PeerNode node;
  private final Map<Holder, PeerHold> holds;
  private volatile boolean closed;

  private record Holder(String lease, String owner) {}

  private PeerLeases(PeerStore store, PeerNode node, Map<Holder, PeerHold> holds) {
    this.store = store;
    this.node = node;
    this.holds = holds;
  }

  static PeerLeases open(PeerStore store, String name) {
    Map<Holder, PeerHold> holds = new ConcurrentHashMap<>();
    PeerNode node = store.open(name, () -> holds.values().forEach(PeerHold::lose));
    return new PeerLeases(store, node, holds);
  }

  PeerNode node() {
    return node;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public Lease lease(LeaseSettings settings) {
    if (closed) {
      throw new IllegalStateException("this node is closed");
    }
    return new PeerLease(
        settings,
        holds.computeIfAbsent(
            new Holder(settings.name(), settings.owner()),
            holder -> new PeerHold(settings, node.contender(holder.lease, holder.owner))));
  }

  @Override
  public LeaseInspector inspector() {
    throw new UnsupportedOperationException("a peer has no such view of its store");
  }

  /** Ends the process, as far as the store can see. */
  void crash() {
    closed = true;
    node.crash();
  }

  /** Ends the rule. */
  void leave() {
    end();
    store.leave(node);
  }

  @Override
  public Subscription beforeClose(Supplier<? extends CompletionStage<?>> stop) {
    throw new UnsupportedOperationException("a peer's leases are measured, and guard no work");
  }

  @Override
  public void close() {
    if (!closed) {
      end();
      node.close();
    }
  }

  private void end() {
    closed = true;
    holds.values().forEach(PeerHold::close);
  }
}
