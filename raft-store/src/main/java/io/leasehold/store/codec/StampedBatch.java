package io.leasehold.store.codec;

import static java.util.Objects.requireNonNull;

import io.leasehold.store.core.Batch;
import io.leasehold.store.core.Entry;

/** What a log entry contains. */
public record StampedBatch(Stamp stamp, Batch batch) {

  public StampedBatch {
    requireNonNull(stamp, "stamp");
    requireNonNull(batch, "batch");
  }

  /** Returns what the machine is told of the entry besides its batch. */
  public Entry entryAt(long term, long index) {
    return new Entry(index, term, stamp.nanos(), stamp.term(), stamp.tokenFloor());
  }
}
