package io.leasehold.harness.chaos.workload;

import io.leasehold.harness.check.history.HistoryEvent.Digest;
import io.leasehold.raft.RaftLeases;

/**
 * Records again and again what this node's replica amounts to, for the judge to compare. Under load
 * two replicas are seldom seen at one index, and often as soon as the load ends. Confined to a
 * thread that may wait for the disk.
 */
final class ReplicaWatch {

  private final String node;
  private final int run;
  private final RaftLeases leases;
  private final Recorder recorder;

  ReplicaWatch(String node, int run, RaftLeases leases, Recorder recorder) {
    this.node = node;
    this.run = run;
    this.leases = leases;
    this.recorder = recorder;
  }

  /** Looks once. A replica that cannot be read, as while it is replaced, is left out. */
  void look() {
    if (leases.status().waitsFor().isPresent()) {
      return; // It is no replica yet.
    }
    long before = recorder.now();
    var unused =
        leases
            .digestAt(0)
            .thenAccept(
                digest ->
                    recorder.write(
                        new Digest(
                            recorder.now(),
                            before,
                            node,
                            run,
                            digest.index(),
                            digest.leaseTimeNanos(),
                            digest.lastToken(),
                            digest.sha256())));
  }
}
