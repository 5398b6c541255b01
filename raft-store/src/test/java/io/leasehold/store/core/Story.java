package io.leasehold.store.core;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A store in memory that is told one batch after the other, of sessions that count their batches.
 * After each, the invariants of the table are checked.
 */
final class Story {

  private static final long TERM = 3;

  private final LeaseMachine machine;
  private final MapLeaseTable table = new MapLeaseTable();
  private final Map<SessionId, Long> sequences = new HashMap<>();
  private long timeNanos;

  Story() {
    this(Limits.DEFAULT);
  }

  Story(Limits limits) {
    this.machine = new LeaseMachine(limits);
  }

  MapLeaseTable table() {
    return table;
  }

  /** From here on, entries are stamped with this lease time. */
  Story at(long millis) {
    timeNanos = Cast.millis(millis);
    return this;
  }

  Story opened(SessionId... sessions) {
    for (SessionId session : sessions) {
      does(session, new Command.OpenSession(Cast.node(session), Cast.SESSION_TTL));
    }
    return this;
  }

  /** Applies a batch whose outcome is not of interest. */
  Story with(SessionId session, Command... commands) {
    does(session, commands);
    return this;
  }

  /** Applies a batch of the store's own whose outcome is not of interest. */
  Story withStores(Command... commands) {
    storeDoes(commands);
    return this;
  }

  Outcome does(SessionId session, Command... commands) {
    long sequence = sequences.merge(session, 1L, Long::sum);
    Outcome outcome = apply(Batch.of(session, sequence, List.of(commands)));
    if (outcome.reply().replies().contains(new Reply.SessionOpened())) {
      sequences.put(session, outcome.reply().index());
    }
    return outcome;
  }

  /** Applies the session's last batch again. */
  Outcome repeats(SessionId session, Command... commands) {
    return apply(Batch.of(session, sequences.getOrDefault(session, 1L), List.of(commands)));
  }

  Outcome storeDoes(Command... commands) {
    return apply(Batch.ofStore(List.of(commands)));
  }

  Outcome apply(Batch batch) {
    return apply(batch, nextEntry());
  }

  Entry nextEntry() {
    return new Entry(table.appliedIndex() + 1, TERM, timeNanos, TERM, 0);
  }

  Outcome apply(Batch batch, Entry entry) {
    Outcome outcome = machine.apply(table, batch, entry);
    StoreState before = table.state();
    table.write(outcome.changes(), entry.term(), entry.index());
    Invariants.check(before, table);
    return outcome;
  }
}
