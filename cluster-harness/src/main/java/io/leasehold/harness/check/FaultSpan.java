package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Fault;

/**
 * A fault from its beginning to its end.
 *
 * @param endedAt the end of the record when it was never lifted
 */
public record FaultSpan(Fault fault, long endedAt) {

  /** Whether the machine did it, not the run. */
  public boolean isStall() {
    return fault.kind().equals(Fault.STALL);
  }

  /** When it began. */
  public long beganAt() {
    return fault.at();
  }
}
