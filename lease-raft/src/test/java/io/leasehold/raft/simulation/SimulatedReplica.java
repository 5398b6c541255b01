package io.leasehold.raft.simulation;

import io.leasehold.Subscription;
import io.leasehold.store.LeaseStore.Watcher;
import io.leasehold.store.ProposeException;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.MapLeaseTable;
import io.leasehold.store.core.Outcome;
import io.leasehold.store.ratis.LeaderDuties;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One member of the group in one run of its process: the real rules on a table of its own. As a
 * leader, or as long as it believes to be one, it stamps, appends and proposes to expire; as every
 * member it applies what is committed. Confined to the world's thread; all but reads are called in
 * its process.
 */
final class SimulatedReplica {

  private static final Duration BEAT = Duration.ofMillis(100);
  private static final long CATCH_UP_BY_SNAPSHOT = 20;

  private final SimulatedGroup group;
  private final SimulatedProcess process;
  private final String node;
  private final LeaderDuties duties;
  private final List<Watcher> watchers = new ArrayList<>();
  private final TreeMap<Long, Pending> pending = new TreeMap<>();
  private final List<BiConsumer<@Nullable BatchReply, @Nullable ProposeException>> stranded =
      new ArrayList<>();
  private final TreeMap<Long, List<Consumer<MapLeaseTable>>> readers = new TreeMap<>();
  private MapLeaseTable table;
  private long applied;
  private long knownTerm;
  private Optional<String> knownLeader = Optional.empty();
  private long leadsInTerm;
  private long readyFrom;
  private boolean duty;

  SimulatedReplica(SimulatedGroup group, SimulatedProcess process, MapLeaseTable durable) {
    this.group = group;
    this.process = process;
    this.node = process.node();
    this.table = durable;
    this.applied = durable.appliedIndex();
    this.duties =
        new LeaderDuties(
            () -> knownTerm,
            this::isReady,
            () -> table.state().leaseTimeNanos(),
            process::monotonicNanos,
            process,
            () -> table,
            this::proposeToItself);
  }

  // Any time

  SimulatedProcess process() {
    return process;
  }

  String node() {
    return node;
  }

  MapLeaseTable table() {
    return table;
  }

  long applied() {
    return applied;
  }

  Optional<String> knownLeader() {
    return knownLeader;
  }

  long knownTerm() {
    return knownTerm;
  }

  boolean believesToLead() {
    return leadsInTerm != 0;
  }

  private boolean isReady() {
    return leadsInTerm != 0 && applied >= readyFrom;
  }

  Subscription watch(Watcher watcher) {
    watchers.add(watcher);
    return () -> watchers.remove(watcher);
  }

  /** Reads the table once everything up to an index has been applied. */
  void readAt(long index, Consumer<MapLeaseTable> reader) {
    if (applied >= index) {
      reader.accept(table);
    } else {
      readers.computeIfAbsent(index, waiting -> new ArrayList<>()).add(reader);
    }
  }

  // As leader

  /** It has won an election; it is ready once it has applied everything it began with. */
  void lead(long term, long firstOfTerm) {
    if (term < knownTerm) {
      return;
    }
    depose();
    knownTerm = term;
    knownLeader = Optional.of(node);
    leadsInTerm = term;
    readyFrom = firstOfTerm;
    tellLeader();
    beat(term);
  }

  /** A batch has arrived. What answers it may never be called. */
  void receive(Batch batch, BiConsumer<@Nullable BatchReply, @Nullable ProposeException> answer) {
    if (!isReady()) {
      answer.accept(null, new ProposeException("this member does not lead", true, null));
      return;
    }
    Optional<LeaderDuties.Reading> stamp = duties.read();
    if (stamp.isEmpty()) {
      answer.accept(null, new ProposeException("this member does not lead", true, null));
      return;
    }
    long stampedAt = group.world().nanos();
    // As in Ratis: stamped first, appended later, and perhaps in a later term.
    group
        .world()
        .after(
            group.appendDelayNanos(),
            () -> process.run(() -> append(batch, stamp.get(), stampedAt, answer)));
  }

  private CompletableFuture<BatchReply> proposeToItself(Batch batch) {
    CompletableFuture<BatchReply> result = new CompletableFuture<>();
    receive(
        batch,
        (reply, failure) -> {
          if (failure != null) {
            result.completeExceptionally(failure);
          } else {
            result.complete(reply);
          }
        });
    group.mayForward(node, batch);
    return result;
  }

  private void append(
      Batch batch,
      LeaderDuties.Reading stamp,
      long stampedAt,
      BiConsumer<@Nullable BatchReply, @Nullable ProposeException> answer) {
    if (!isReady()) {
      answer.accept(null, new ProposeException("this member leads no more", true, null));
      return;
    }
    long floor = table.state().lastToken() == 0 ? group.wallSeconds(node) << 20 : 0;
    OptionalLong index = group.log().append(node, leadsInTerm, stamp, floor, batch, stampedAt);
    if (index.isEmpty()) {
      // Deposed without knowing: what it appends goes nowhere, and its client hears of that late.
      stranded.add(answer);
      group.world().count(Occurrence.APPENDED_TO_NO_AVAIL);
      return;
    }
    if (stamp.term() != leadsInTerm) {
      group.world().count(Occurrence.STAMP_VOID);
    }
    pending.put(index.getAsLong(), new Pending(leadsInTerm, answer));
    commitSoon();
  }

  private void commitSoon() {
    long term = leadsInTerm;
    long index = group.log().size();
    group.world().after(group.roundTripNanos(), () -> process.run(() -> commit(term, index)));
  }

  private void commit(long term, long index) {
    if (leadsInTerm != term || !group.log().isLedBy(node, term) || !group.hasMajority(node)) {
      return;
    }
    if (index > group.log().committed()) {
      group.log().commit(index, term);
      applyUpTo(index);
      sendBeats();
    }
  }

  private void beat(long term) {
    if (leadsInTerm == term) {
      process.schedule(BEAT, () -> beat(term));
      if (group.log().committed() < group.log().size()) {
        commitSoon();
      }
      sendBeats();
      duties.tick();
    }
  }

  /** Tells the others who leads and what is committed. */
  private void sendBeats() {
    long term = leadsInTerm;
    long committed = group.log().isLedBy(node, term) ? group.log().committed() : 0;
    group.toOthers(node, other -> other.heard(node, term, committed));
  }

  // As follower

  /** A leader has been heard of. */
  void heard(String leader, long term, long committed) {
    if (term < knownTerm) {
      return;
    }
    if (term > knownTerm || knownLeader.isEmpty()) {
      depose();
      knownTerm = term;
      knownLeader = Optional.of(leader);
      tellLeader();
    }
    if (committed - applied > CATCH_UP_BY_SNAPSHOT && group.sendsSnapshots()) {
      install(leader);
    }
    applyUpTo(committed);
  }

  private void install(String leader) {
    MapLeaseTable snapshot = group.replica(leader).table();
    if (snapshot.appliedIndex() > applied) {
      table = snapshot.copy();
      applied = table.appliedIndex();
      group.world().count(Occurrence.SNAPSHOT_INSTALLED);
      group.world().tell(() -> "%s gets a snapshot at %d".formatted(node, applied));
      List.copyOf(watchers).forEach(watcher -> watcher.replaced(applied));
      releaseReaders();
    }
  }

  private void depose() {
    leadsInTerm = 0;
    duty = false;
    duties.follow();
    List<BiConsumer<@Nullable BatchReply, @Nullable ProposeException>> failed =
        new ArrayList<>(stranded);
    pending.values().forEach(each -> failed.add(each.answer()));
    stranded.clear();
    pending.clear();
    ProposeException deposed =
        new ProposeException("this member was deposed; ask another one", false, null);
    failed.forEach(answer -> answer.accept(null, deposed));
  }

  private void tellLeader() {
    List.copyOf(watchers).forEach(watcher -> watcher.leaderChanged(knownLeader));
  }

  // As every member

  private void applyUpTo(long index) {
    while (applied < Math.min(index, group.log().committed())) {
      apply(group.log().at(applied + 1));
      if (isReady() && !duty) {
        duty = true;
        duties.lead(table);
      }
    }
    releaseReaders();
  }

  private void apply(SimulatedLog.LogEntry entry) {
    applied = entry.entry().index();
    if (entry.batch().isEmpty()) {
      return;
    }
    Outcome outcome = group.machine().apply(table, entry.batch().get(), entry.entry());
    table.write(outcome.changes(), entry.entry().term(), applied);
    group.tellApplied(this, entry, outcome);
    duties.applied(outcome.changes());
    Pending own = pending.remove(applied);
    if (own != null && own.term() == entry.entry().term()) {
      own.answer().accept(outcome.reply(), null);
    }
    if (!outcome.events().isEmpty()) {
      List.copyOf(watchers).forEach(watcher -> watcher.applied(applied, outcome.events()));
    }
  }

  private void releaseReaders() {
    while (!readers.isEmpty() && readers.firstKey() <= applied) {
      readers.pollFirstEntry().getValue().forEach(reader -> reader.accept(table));
    }
  }

  private record Pending(
      long term, BiConsumer<@Nullable BatchReply, @Nullable ProposeException> answer) {}
}
