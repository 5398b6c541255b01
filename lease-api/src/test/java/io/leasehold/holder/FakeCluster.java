package io.leasehold.holder;

import io.leasehold.Lease;
import io.leasehold.LeaseEvent;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import io.leasehold.Subscription;
import io.leasehold.contract.ContractCluster;
import io.leasehold.time.Ticker;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Nodes on a {@link FakeStore} as the contract kit's subject, in virtual time. */
final class FakeCluster implements ContractCluster {

  private final VirtualTime time = new VirtualTime();
  private final FakeStore store = new FakeStore(time);
  private final Map<String, FakeNode> nodes = new HashMap<>();

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.complementOf(EnumSet.of(Capability.QUEUE_PLACES));
  }

  @Override
  public LeaseProvider node(String name) {
    return new Inspected(running(name).leases(), new StoreView(store));
  }

  private FakeNode running(String name) {
    FakeNode node = nodes.get(name);
    if (node == null || node.hasEnded()) {
      node = new FakeNode(name, store, time);
      nodes.put(name, node);
    }
    return node;
  }

  @Override
  public void advance(Duration duration) {
    time.advance(duration);
  }

  @Override
  public Ticker time() {
    return time;
  }

  @Override
  public Duration ttl() {
    return Duration.ofSeconds(10);
  }

  @Override
  public int rounds() {
    return 200;
  }

  @Override
  public void disconnect(String node) {
    running(node).disconnect();
  }

  @Override
  public void deafen(String node) {
    running(node).deafen();
  }

  @Override
  public void reconnect(String node) {
    running(node).reconnect();
  }

  @Override
  public void crash(String node) {
    running(node).crash();
  }

  @Override
  public void pause(String node) {
    running(node).pause();
  }

  @Override
  public void resume(String node) {
    running(node).resume();
  }

  @Override
  public void close() {
    nodes.values().forEach(node -> node.leases().close());
  }

  /** The leases, and what the store itself says of them. */
  private record Inspected(LeaseProvider leases, LeaseInspector inspector)
      implements LeaseProvider {

    @Override
    public Lease lease(LeaseSettings settings) {
      return leases.lease(settings);
    }

    @Override
    public Subscription beforeClose(Supplier<? extends CompletionStage<?>> stop) {
      return leases.beforeClose(stop);
    }

    @Override
    public void close() {
      leases.close();
    }
  }

  private record StoreView(FakeStore store) implements LeaseInspector {

    @Override
    public CompletionStage<Optional<LeaseStatus>> find(String name) {
      return CompletableFuture.completedFuture(
          store
              .find(name)
              .map(
                  entry ->
                      new LeaseStatus(
                          name,
                          entry.owner(),
                          entry.node(),
                          entry.token(),
                          Duration.ofSeconds(10),
                          Duration.ofSeconds(10),
                          store.waiters(name),
                          false)));
    }

    @Override
    public CompletionStage<Boolean> revoke(String name, long expectedToken, String reason) {
      return CompletableFuture.completedFuture(store.revoke(name, expectedToken));
    }

    @Override
    public CompletionStage<Boolean> revokeUnsafely(String name, long expectedToken, String reason) {
      return revoke(name, expectedToken, reason);
    }

    @Override
    public CompletionStage<List<LeaseStatus>> list() {
      throw new UnsupportedOperationException("no rule asks for it");
    }

    @Override
    public Subscription watch(String name, Consumer<LeaseEvent> observer) {
      throw new UnsupportedOperationException("no rule asks for it");
    }

    @Override
    public Subscription watchAll(Consumer<LeaseEvent> observer) {
      throw new UnsupportedOperationException("no rule asks for it");
    }
  }
}
