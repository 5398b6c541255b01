package io.leasehold.harness.chaos.workload;

import io.leasehold.LeaseInspector;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.harness.check.history.Handle;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** A provider whose leases are {@link RecordedLease}s. Safe for many threads. */
final class RecordedLeases implements LeaseProvider {

  private final String node;
  private final int run;
  private final LeaseProvider leases;
  private final Recorder recorder;

  RecordedLeases(String node, int run, LeaseProvider leases, Recorder recorder) {
    this.node = node;
    this.run = run;
    this.leases = leases;
    this.recorder = recorder;
  }

  @Override
  public RecordedLease lease(LeaseSettings settings) {
    Handle handle = new Handle(node, run, settings.owner(), settings.name());
    return new RecordedLease(handle, leases.lease(settings), recorder);
  }

  @Override
  public LeaseInspector inspector() {
    return leases.inspector();
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
