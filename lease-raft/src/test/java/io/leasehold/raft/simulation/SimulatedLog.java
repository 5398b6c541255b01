package io.leasehold.raft.simulation;

import io.leasehold.store.core.Batch;
import io.leasehold.store.core.Entry;
import io.leasehold.store.ratis.LeaderDuties;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What Raft promises, without Raft: one sequence of entries that grows at its end, of which a
 * prefix is committed and stays. The leader of the latest term appends; an election keeps any
 * prefix that has everything committed in it, and what a leader of an earlier term appends
 * afterwards goes nowhere. Confined to the world's thread.
 */
final class SimulatedLog {

  private final List<LogEntry> entries = new ArrayList<>();
  private long committed;
  private long term;
  private Optional<String> leader = Optional.empty();

  /**
   * One entry.
   *
   * @param entry its place and its stamp
   * @param batch empty for the entry that a leader begins its term with
   * @param stampedAtNanos real time of its stamp
   */
  record LogEntry(Entry entry, Optional<Batch> batch, long stampedAtNanos) {}

  long size() {
    return entries.size();
  }

  long committed() {
    return committed;
  }

  long term() {
    return term;
  }

  Optional<String> leader() {
    return leader;
  }

  LogEntry at(long index) {
    return entries.get(Math.toIntExact(index - 1));
  }

  boolean isLedBy(String node, long inTerm) {
    return inTerm == term && leader.filter(node::equals).isPresent();
  }

  /** Returns the index, or nothing when the node does not lead in that term any more. */
  OptionalLong append(
      String node,
      long inTerm,
      LeaderDuties.Reading stamp,
      long tokenFloor,
      Batch batch,
      long now) {
    if (!isLedBy(node, inTerm)) {
      return OptionalLong.empty();
    }
    Entry entry = new Entry(size() + 1, inTerm, stamp.nanos(), stamp.term(), tokenFloor);
    entries.add(new LogEntry(entry, Optional.of(batch), now));
    return OptionalLong.of(size());
  }

  /** A majority has everything up to an index, in the term of the leader that says so. */
  void commit(long index, long inTerm) {
    if (inTerm == term && index <= size()) {
      committed = Math.max(committed, index);
    }
  }

  /** A process that led has ended. */
  void abdicate(String node) {
    leader = leader.filter(leading -> !leading.equals(node));
  }

  /**
   * Begins a term.
   *
   * @param keep how much of the log the new leader has, at least everything committed
   * @return the term
   */
  long elect(String node, long keep) {
    entries.subList(Math.toIntExact(Math.max(keep, committed)), entries.size()).clear();
    term++;
    leader = Optional.of(node);
    Entry first = new Entry(size() + 1, term, 0, 0, 0);
    entries.add(new LogEntry(first, Optional.empty(), 0));
    return term;
  }
}
