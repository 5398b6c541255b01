package io.leasehold.bench;

import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Entry;
import io.leasehold.store.core.LeaseMachine;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.Outcome;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The log of a node that acquires leases by one entry and releases them by the next, applied to a
 * table in memory. Confined to one thread.
 */
final class CycleEntries {

  private static final SessionId SESSION = new SessionId(1, 1);
  private static final long TTL_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long TERM = 1;
  private static final long NANOS_PER_ENTRY = 1_000_000;

  private final LeaseMachine machine = new LeaseMachine(Limits.DEFAULT);
  private final HashLeaseTable table = new HashLeaseTable();
  private final List<String> names;
  private long index;
  private long acquisitions;

  /**
   * @param leases how many each entry acquires or releases
   */
  CycleEntries(int leases) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < leases; i++) {
      all.add("lease-of-caller-" + i);
    }
    names = List.copyOf(all);
    Outcome unused = apply(Batch.of(SESSION, 1, List.of(new Command.OpenSession("n1", TTL_NANOS))));
  }

  /** Returns the batch that acquires all leases next. */
  Batch acquires() {
    List<Command> commands = new ArrayList<>(names.size());
    for (String name : names) {
      acquisitions++;
      commands.add(new Command.Acquire(name, "caller", TTL_NANOS, acquisitions, false, false));
    }
    return next(commands);
  }

  /** Returns the batch that releases what the last one was granted. */
  Batch releases(BatchReply granted) {
    List<Command> commands = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      if (!(granted.replies().get(i) instanceof Reply.Granted grant)) {
        throw new IllegalStateException("nobody else wants " + names.get(i) + ": " + granted);
      }
      commands.add(new Command.Release(names.get(i), grant.token()));
    }
    return next(commands);
  }

  private Batch next(List<Command> commands) {
    return Batch.of(SESSION, index + 1, commands);
  }

  /** Applies a batch as the next entry, and writes what it amounts to into the table. */
  Outcome apply(Batch batch) {
    index++;
    Outcome outcome =
        machine.apply(table, batch, new Entry(index, TERM, index * NANOS_PER_ENTRY, TERM, 0));
    table.write(outcome.changes());
    return outcome;
  }
}
