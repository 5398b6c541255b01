package io.leasehold.memory;

import io.leasehold.LeaseLost;
import io.leasehold.Subscription;
import io.leasehold.concurrent.Strand;
import java.util.function.Consumer;

/** One handler of losses. Safe for many threads. */
final class Registration implements Subscription {

  private final Node node;
  private final Consumer<LeaseLost> handler;
  private final Consumer<Registration> closed;
  private final Strand strand = new Strand();
  private volatile boolean open = true;

  /**
   * @param closed is run under the shared store's lock when the registration ends
   */
  Registration(Node node, Consumer<LeaseLost> handler, Consumer<Registration> closed) {
    this.node = node;
    this.handler = handler;
    this.closed = closed;
  }

  /** Has the handler called outside the lock. */
  void tell(LeaseLost lost) {
    strand.add(
        () -> {
          if (open) {
            handler.accept(lost);
          }
        });
    node.later(strand::runOne);
  }

  @Override
  public void close() {
    open = false;
    node.store().run(() -> closed.accept(this));
  }
}
