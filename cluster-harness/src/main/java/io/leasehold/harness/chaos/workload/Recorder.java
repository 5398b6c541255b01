package io.leasehold.harness.chaos.workload;

import io.leasehold.LeaseUnavailableException;
import io.leasehold.harness.check.history.HistoryEvent;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import io.leasehold.harness.check.history.HistoryWriter;
import io.leasehold.time.Ticker;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/** Writes this process' part of the history, on its own clock. Safe for many threads. */
final class Recorder {

  private final HistoryWriter writer;
  private final Ticker clock;
  private final int process;
  private final AtomicLong lastCall;

  /**
   * @param process a number of this process' own, so that what it numbers is not what others do
   */
  Recorder(HistoryWriter writer, Ticker clock, int process) {
    this.writer = writer;
    this.clock = clock;
    this.process = process;
    this.lastCall = new AtomicLong(process * 100_000_000L);
  }

  /** Numbers a stall; those of the run's own faults are small. */
  int stallId(int number) {
    return process * 10_000 + number;
  }

  long now() {
    return clock.nanos();
  }

  long nextCall() {
    return lastCall.incrementAndGet();
  }

  /** A call's return just now, with what its stage failed with. */
  Return failed(long call, Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return Return.failed(now(), call, cause instanceof LeaseUnavailableException, cause.toString());
  }

  void write(HistoryEvent event) {
    writer.append(event);
  }
}
