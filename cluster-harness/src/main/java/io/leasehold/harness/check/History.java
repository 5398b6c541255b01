package io.leasehold.harness.check;

import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Digest;
import io.leasehold.harness.check.history.HistoryEvent.Guarded;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import io.leasehold.harness.check.history.HistoryEvent.Watched;
import io.leasehold.harness.check.history.HistoryHeader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A recorded run, indexed for the judge: calls joined from their two ends, samples in a row that
 * say the same folded into one, and everything about a lease in one place. Immutable. Memory grows
 * with the calls and with how often answers changed, not with the number of samples.
 *
 * @param leases in the order of their names
 * @param samples folded, by handle, in the order of time
 * @param callsByHandle in the order of their invocations
 * @param unknownAcquires when each acquire was invoked whose outcome nobody knows, in order
 * @param losses in the order of time
 * @param tasks in no order
 * @param malformed calls whose lines do not fit together, each with what is wrong
 * @param faultsOverAt the mark after the last fault; the end of the record when there is none
 * @param endedAt the latest stamp
 * @param sampleCount how many samples there were before they were folded
 */
record History(
    HistoryHeader header,
    List<LeaseHistory> leases,
    Map<Handle, List<Sample>> samples,
    Map<Handle, List<Call>> callsByHandle,
    Map<Handle, long[]> unknownAcquires,
    List<Lost> losses,
    List<Life> lives,
    Map<NodeRun, NodeHistory> nodes,
    List<FaultSpan> faults,
    List<Watched> watched,
    List<Guarded> guarded,
    List<Digest> digests,
    List<TaskRun> tasks,
    List<Malformed> malformed,
    Calm calm,
    long faultsOverAt,
    long endedAt,
    long sampleCount) {

  /** One start of one node. */
  record NodeRun(String node, int run) {}

  /** A call whose lines do not fit together. */
  record Malformed(Call call, String why) {}

  /** The life of the process behind a handle. */
  NodeHistory nodeOf(Handle handle) {
    return nodes.getOrDefault(new NodeRun(handle.node(), handle.run()), NodeHistory.UNKNOWN);
  }

  /** All calls through a handle, in the order of their invocations. */
  List<Call> callsOf(Handle handle) {
    return callsByHandle.getOrDefault(handle, List.of());
  }

  /**
   * When through a handle, at or after an instant, the first acquire was invoked whose outcome
   * nobody knows: such a call ends with the lease being given back. Never when there was none.
   */
  long unknownAcquireAfter(Handle handle, long instant) {
    long[] invoked = unknownAcquires.get(handle);
    if (invoked == null) {
      return Call.NEVER;
    }
    int i = Arrays.binarySearch(invoked, instant);
    int first = i < 0 ? -i - 1 : i;
    return first == invoked.length ? Call.NEVER : invoked[first];
  }

  long callCount() {
    return leases.stream().mapToLong(lease -> lease.calls().size()).sum();
  }

  long holdCount() {
    return leases.stream().mapToLong(lease -> lease.holds().size()).sum();
  }
}
