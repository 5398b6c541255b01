package io.leasehold.holder;

import io.leasehold.LeaseLost;
import io.leasehold.Subscription;
import io.leasehold.concurrent.Strand;
import java.util.function.Consumer;

/** One handler of losses. Safe for many threads. */
public final class Registration implements Subscription {

  private final Consumer<LeaseLost> handler;
  private final Consumer<Runnable> later;
  private final Consumer<Registration> closed;
  private final Strand strand = new Strand();
  private volatile boolean open = true;

  /**
   * @param later runs users' code outside every lock
   * @param closed is told when the registration ends
   */
  public Registration(
      Consumer<LeaseLost> handler, Consumer<Runnable> later, Consumer<Registration> closed) {
    this.handler = handler;
    this.later = later;
    this.closed = closed;
  }

  /** Has the handler called later. */
  public void tell(LeaseLost lost) {
    strand.add(
        () -> {
          if (open) {
            handler.accept(lost);
          }
        });
    later.accept(strand::runOne);
  }

  @Override
  public void close() {
    open = false;
    closed.accept(this);
  }
}
