package io.leasehold.store.ratis;

import io.leasehold.store.codec.BatchCodec;
import io.leasehold.store.codec.EntryCodec;
import io.leasehold.store.codec.MalformedBatchException;
import io.leasehold.store.codec.Stamp;
import io.leasehold.store.codec.StampedBatch;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.LeaseMachine;
import io.leasehold.store.core.Outcome;
import io.leasehold.store.core.StoreState;
import io.leasehold.store.rocks.RocksLeaseTable;
import io.leasehold.store.rocks.TableReader;
import io.leasehold.time.Ticker;
import java.io.IOException;
import java.time.Clock;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Ratis calls: stamps batches on the leader, applies entries on every member.
 *
 * <p>{@link #startTransaction} runs on any thread. Entries are applied one after the other on one
 * thread of Ratis, "the thread that applies": decode, decide, write, then tell. Only a table or a
 * log that cannot be trusted throws there, which stops this member; everything a node may send is
 * answered with a value.
 */
final class LeaseStateMachine extends BaseStateMachine {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseStateMachine.class);

  private final NodeFolder folder;
  private final LeaseMachine machine;
  private final BatchCodec batches;
  private final EntryCodec entries;
  private final LeaderClock clock;
  private final Clock wallClock;
  private final IntSupplier sharedFormat;
  private final Listener listener;
  private final SnapshotFiles snapshots;

  private volatile @Nullable RocksLeaseTable table;
  private volatile StoreState applied = StoreState.INITIAL;
  private final Object failureLock = new Object();
  private volatile Optional<String> failure = Optional.empty();

  /**
   * @param leadership of this node's own server
   * @param wallClock read once in a cluster's life, for the base of its tokens
   * @param sharedFormat the newest format of entries that all members read
   * @param listener is told of what happens
   */
  LeaseStateMachine(
      NodeFolder folder,
      LeaseMachine machine,
      BatchCodec batches,
      LeaderClock.Leadership leadership,
      Ticker ticker,
      Clock wallClock,
      IntSupplier sharedFormat,
      Listener listener) {
    this.folder = folder;
    this.snapshots = new SnapshotFiles(folder.unfinishedSnapshot(), ticker);
    this.machine = machine;
    this.batches = batches;
    this.entries = new EntryCodec(batches);
    this.clock = new LeaderClock(leadership, () -> applied.leaseTimeNanos(), ticker);
    this.wallClock = wallClock;
    this.sharedFormat = sharedFormat;
    this.listener = listener;
  }

  /** Is told what happens, on the threads of Ratis; must return at once. */
  interface Listener {

    /** The server of this node is about to begin, with what is in its folder. */
    void begins(RaftServer server, RaftGroupId group) throws IOException;

    /** An entry of so many bytes is about to be applied, or passed. On the thread that applies. */
    void read(int bytes);

    /** An entry has been applied. On the thread that applies. */
    void applied(long index, Outcome outcome);

    /** The table has been replaced by a snapshot. On the thread that applies. */
    void replaced(long index);

    /** An entry that is not a batch has been passed. On the thread that applies. */
    void passed(long index);

    /** This node leads and is ready to. On the thread that applies, between two entries. */
    void leads();

    /** This node leads no more. */
    void follows();

    /** Another leader is known, or none. */
    void leaderChanged(Optional<String> leader);

    /** This member cannot go on and has to be stopped. Once at most, on any thread. */
    void failed(String why);
  }

  LeaderClock clock() {
    return clock;
  }

  /** The numbers that the last entry applied has left. */
  StoreState appliedState() {
    return applied;
  }

  /** Why this member has stopped, in a sentence; empty while it has not. */
  Optional<String> failure() {
    return failure;
  }

  /** Opens a view of the table, which has to be closed. */
  TableReader reader() {
    return table().reader();
  }

  /** The index of the last entry that the table or, where it holds no batch, this member has. */
  long appliedIndex() {
    RocksLeaseTable current = table;
    long inTable = current == null ? 0 : current.appliedIndex();
    return Math.max(inTable, getLastAppliedTermIndex().getIndex());
  }

  SnapshotFiles snapshots() {
    return snapshots;
  }

  /**
   * Returns the table, of which a snapshot may be taken on any thread.
   *
   * @throws IllegalStateException while there is none
   */
  RocksLeaseTable table() {
    RocksLeaseTable current = table;
    if (current == null) {
      throw new IllegalStateException("the table is not open");
    }
    return current;
  }

  // Life

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    super.initialize(server, group, storage);
    getLifeCycle()
        .startAndTransition(
            () -> {
              listener.begins(server, group);
              // Ratis has made or found its state, and has not voted yet.
              folder.identity().joined();
              snapshots.init(storage);
              openTable();
            },
            IOException.class);
  }

  private void openTable() throws IOException {
    RocksLeaseTable opened = new TableOpening(folder, snapshots).open();
    table = opened;
    applied = opened.state();
    // Ratis replays from the snapshot on; what the table has already is skipped.
    setLastAppliedTermIndex(snapshots.latest().orElse(TermIndex.INITIAL_VALUE));
  }

  /** The leader is about to replace the snapshots; the thread that applies will reinitialize. */
  @Override
  public void pause() {
    snapshots.replacing();
    if (getLifeCycle().compareAndTransition(LifeCycle.State.RUNNING, LifeCycle.State.PAUSING)) {
      getLifeCycle().transition(LifeCycle.State.PAUSED);
    }
  }

  @Override
  public void reinitialize() throws IOException {
    try {
      getLifeCycle()
          .startAndTransition(
              () -> {
                snapshots.replaced();
                RocksLeaseTable replaced = table;
                if (replaced != null) {
                  replaced.close();
                }
                snapshots.install(folder.table());
                openTable();
                snapshots.installed();
              },
              IOException.class);
    } catch (IOException | RuntimeException e) {
      fail("this member cannot install the leader's snapshot", e);
      throw e;
    }
    long index = table().appliedIndex();
    LOG.info("snapshot of the leader installed at index {}", index);
    listener.replaced(index);
  }

  /** Called last, when nothing is applied any more. */
  @Override
  public void close() throws IOException {
    getLifeCycle()
        .checkStateAndClose(
            () -> {
              RocksLeaseTable current = table;
              if (current != null) {
                current.close();
              }
            });
  }

  // On the leader

  @Override
  public TransactionContext startTransaction(RaftClientRequest request) {
    TransactionContext.Builder context =
        TransactionContext.newBuilder().setStateMachine(this).setClientRequest(request);
    try {
      ByteString bytes = request.getMessage().getContent();
      StampedBatch stamped = new StampedBatch(stamp(), batch(request.getMessage(), bytes));
      int format = sharedFormat(stamped.batch());
      ByteString header =
          UnsafeByteOperations.unsafeWrap(entries.header(stamped.stamp(), format, bytes.size()));
      return context.setLogData(header.concat(bytes)).setStateMachineContext(stamped).build();
    } catch (MalformedBatchException | RefusedBatchException | LeaderClock.NotLeadingException e) {
      return context.build().setException(e);
    }
  }

  private Batch batch(Message message, ByteString bytes) {
    if (bytes.size() > BatchCodec.BYTES_MAX) {
      throw new RefusedBatchException(
          "a batch of %d bytes is over the limit of %d"
              .formatted(bytes.size(), BatchCodec.BYTES_MAX));
    }
    if (message instanceof ProposedMessage proposed) {
      return proposed.batch();
    }
    Batch batch = batches.decode(bytes.asReadOnlyByteBuffer());
    if (batch.origin().isEmpty()) {
      throw new RefusedBatchException("only the leader itself proposes batches without a session");
    }
    return batch;
  }

  private int sharedFormat(Batch batch) {
    int format = batches.format(batch);
    if (format > sharedFormat.getAsInt()) {
      throw new RefusedBatchException(
          "not every member understands it (it needs format %d, and one reads %d): upgrade all nodes, or wait until they have been asked"
              .formatted(format, sharedFormat.getAsInt()));
    }
    return format;
  }

  private Stamp stamp() {
    LeaderClock.Reading reading = clock.read();
    return new Stamp(reading.nanos(), reading.term(), tokenFloor());
  }

  /**
   * A cluster that has never granted anything needs a base for its tokens, and one that began with
   * a backup has to pass what was granted after it.
   */
  private long tokenFloor() {
    long lastToken = applied.lastToken();
    long floor = folder.identity().origin().tokenFloor();
    if (lastToken == 0) {
      floor = Math.max(floor, TokenBase.at(wallClock));
    }
    return floor > lastToken ? floor : 0;
  }

  @Override
  public TransactionContext preAppendTransaction(TransactionContext transaction) {
    RaftClientRequest request = transaction.getClientRequest();
    if (request != null && request.getMessage() instanceof ProposedMessage proposed) {
      proposed.appending();
    }
    return transaction;
  }

  // On every member

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    long index = entry.getIndex();
    listener.read(entry.getStateMachineLogEntry().getLogData().size());
    try {
      return CompletableFuture.completedFuture(apply(transaction, entry.getTerm(), index));
    } catch (RuntimeException | Error e) {
      fail("this member cannot apply entry " + index, e);
      throw e;
    }
  }

  private Message apply(TransactionContext transaction, long term, long index) {
    RocksLeaseTable current = table();
    if (index <= current.appliedIndex()) {
      updateLastAppliedTermIndex(term, index);
      return Message.EMPTY;
    }
    StampedBatch stamped = stampedBatch(transaction, index);
    Outcome outcome = machine.apply(current, stamped.batch(), stamped.entryAt(term, index));
    boolean isFirst = current.appliedIndex() == 0;
    current.write(outcome.changes(), term, index);
    if (isFirst) {
      current.flush(); // so that the table tells of a log that is gone
    }
    applied = current.state();
    updateLastAppliedTermIndex(term, index);
    listener.applied(index, outcome);
    return new ReplyMessage(outcome.reply());
  }

  /** Where this node leads it still has what it has decoded. */
  private StampedBatch stampedBatch(TransactionContext transaction, long index) {
    if (transaction.getStateMachineContext() instanceof StampedBatch stamped) {
      return stamped;
    }
    return entries.decode(
        index,
        transaction.getLogEntry().getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer());
  }

  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    updateLastAppliedTermIndex(term, index);
    listener.passed(index);
  }

  @Override
  public CompletableFuture<Message> query(Message question) {
    // Whoever asks only wants to know whether this member leads; that has been looked at before.
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  // Snapshots

  /** Ratis only asks when it is told to: {@link SnapshotTaker} takes them. */
  @Override
  public long takeSnapshot() {
    return snapshots.latest().map(TermIndex::getIndex).orElse(RaftLog.INVALID_LOG_INDEX);
  }

  @Override
  public StateMachineStorage getStateMachineStorage() {
    return snapshots;
  }

  // News of Ratis

  @Override
  public void notifyLeaderReady() {
    listener.leads();
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    listener.follows();
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
    listener.leaderChanged(Optional.ofNullable(leader).map(PeerIdentity::nameOf));
  }

  /** That this one alone was shut down says that the others have dismissed it. */
  @Override
  public void notifyServerShutdown(RoleInfoProto role, boolean allServers) {
    if (!allServers) {
      dismissed();
    }
  }

  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
    fail("this member cannot write its log", cause);
  }

  /** A batch must not get into the log. */
  private static final class RefusedBatchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RefusedBatchException(String message) {
      super(message);
    }
  }

  /** Called by whichever thread is first to see that this member cannot go on. */
  void fail(String what, Throwable cause) {
    end(
        () -> {
          String why = folder.explain(what, cause);
          LOG.error("{}", why, cause);
          return why;
        });
  }

  /** The group has gone on without this node. */
  void dismissed() {
    end(
        () ->
            "it is not a member of its cluster any more: stop it; for it to come back, empty its folder %s, start it, and add it on another member"
                .formatted(folder.root()));
  }

  private void end(Supplier<String> reason) {
    synchronized (failureLock) {
      if (failure.isPresent()) {
        return;
      }
      String why = reason.get();
      failure = Optional.of(why);
      listener.failed(why);
    }
  }
}
