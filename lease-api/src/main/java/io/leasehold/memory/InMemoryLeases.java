package io.leasehold.memory;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.concurrent.BeforeClose;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Leases in memory, for programs of one process and for tests: the whole contract without a
 * network. Safe for many threads.
 *
 * <pre>{@code
 * try (LeaseProvider leases = InMemoryLeases.create()) {
 *   Lease lease = leases.lease(LeaseSettings.of("printer", "a", Duration.ofSeconds(10)));
 *   …
 * }
 * }</pre>
 *
 * <p>Exclusion between processes, lost connections and time that is turned by hand are tested with
 * {@link InMemoryCluster}, whose nodes are providers of this kind.
 */
public final class InMemoryLeases implements LeaseProvider {

  private final Node node;
  private final LeaseInspector inspector;
  private final Runnable closed;
  private final BeforeClose beforeClose = new BeforeClose();

  /**
   * @param closed is run when this provider is closed, however often
   */
  InMemoryLeases(Node node, Runnable closed) {
    this.node = node;
    this.inspector = new MemoryInspector(node);
    this.closed = closed;
  }

  /**
   * Returns a provider with a store of its own, in real time. Its two kinds of daemon threads,
   * {@code lease-timer} and {@code lease-callbacks}, end with it.
   */
  public static InMemoryLeases create() {
    InMemoryCluster cluster = InMemoryCluster.inRealTime();
    return cluster.newNode("local", cluster::close);
  }

  @Override
  public Lease lease(LeaseSettings settings) {
    if (settings == null) {
      throw new InvalidLeaseArgumentException("settings", "must not be null");
    }
    beforeClose.allow(settings.ttl());
    return node.store().call(() -> newHandle(settings));
  }

  private Lease newHandle(LeaseSettings settings) {
    return node.holds()
        .newHandle(
            settings, node.refusal(), () -> new Hold(node, settings.name(), settings.owner()));
  }

  @Override
  public LeaseInspector inspector() {
    return inspector;
  }

  @Override
  public Subscription beforeClose(Supplier<? extends CompletionStage<?>> stop) {
    return beforeClose.add(stop);
  }

  @Override
  public void close() {
    beforeClose.run();
    node.store().run(node::close);
    closed.run();
  }

  Node node() {
    return node;
  }
}
