package io.leasehold.raft.simulation;

import io.leasehold.Lease;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.concurrent.BeforeClose;
import io.leasehold.raft.HolderSide;
import io.leasehold.time.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The holder's side of one life of a node as a provider, but for its end, which takes time. */
final class SimulatedLeases implements LeaseProvider {

  private final HolderSide holder;
  private final BeforeClose beforeClose = new BeforeClose();

  SimulatedLeases(HolderSide holder) {
    this.holder = holder;
  }

  @Override
  public Lease lease(LeaseSettings settings) {
    beforeClose.allow(settings.ttl());
    return holder.lease(settings);
  }

  @Override
  public LeaseInspector inspector() {
    return holder.inspector();
  }

  @Override
  public Subscription beforeClose(Supplier<? extends CompletionStage<?>> stop) {
    return beforeClose.add(stop);
  }

  /** Does what {@link #close} has to, without a thread that waits. */
  CompletableFuture<Boolean> shutDown(Timer timer) {
    CompletableFuture<Void> stopped = beforeClose.begin();
    if (!stopped.isDone()) {
      var unusedLimit = timer.schedule(beforeClose.limit(), () -> stopped.complete(null));
    }
    return stopped.thenCompose(done -> holder.close());
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("nothing may wait in a simulated process");
  }
}
