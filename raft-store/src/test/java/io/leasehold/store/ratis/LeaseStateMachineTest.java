package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.store.Member;
import io.leasehold.store.ProposeException;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.codec.BatchCodec;
import io.leasehold.store.codec.EntryCodec;
import io.leasehold.store.codec.Stamp;
import io.leasehold.store.codec.StampedBatch;
import io.leasehold.store.codec.UnreadableEntryException;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.LeaseMachine;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.Outcome;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.SessionId;
import io.leasehold.store.rocks.RocksLeaseTable;
import io.leasehold.store.rocks.TableException;
import io.leasehold.store.rocks.TableReader;
import io.leasehold.time.VirtualTime;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageDirectory;
import org.apache.ratis.server.storage.RaftStorageMetadataFile;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Ratis calls, called as Ratis does, without a server. */
final class LeaseStateMachineTest {

  private static final SessionId A = new SessionId(1, 0xa);
  private static final long TTL = Duration.ofSeconds(10).toNanos();
  private static final long TERM = 3;
  private static final Instant CREATION = Instant.ofEpochSecond(1_700_000_000L);
  private static final long TOKEN_BASE = 1_700_000_000L << 20;

  @TempDir Path root;
  private final BatchCodec batches = new BatchCodec(Limits.DEFAULT);
  private final VirtualTime time = new VirtualTime();
  private final Leadership leadership = new Leadership();
  private final Told told = new Told();
  private final Log log = new Log();
  private NodeFolder folder;
  private LeaseStateMachine machine;
  private SnapshotTaker taker;
  private int sharedFormat = 1;
  private RaftGroupId group;

  @BeforeEach
  void start() throws IOException {
    StoreConfig config =
        StoreConfig.of("c", "n1", List.of(new Member("n1", "127.0.0.1", 1)), root.resolve("n1"));
    folder = NodeFolder.open(config);
    if (!folder.identity().hasGroup()) {
      RaftPeerId self = folder.identity().peer();
      Founding.Step step = Founding.next(self, config.members(), Map.of());
      folder.enter(((Founding.Enter) step).group(), true);
    }
    group = folder.identity().groupId();
    machine =
        new LeaseStateMachine(
            folder,
            new LeaseMachine(Limits.DEFAULT),
            batches,
            leadership,
            time,
            Clock.fixed(CREATION, ZoneOffset.UTC),
            () -> sharedFormat,
            told);
    Storage storage = new Storage(folder.raft().resolve(group.getUuid().toString()));
    storage.format();
    machine.initialize(server(), group, storage);
    taker =
        new SnapshotTaker(
            "n1",
            machine::table,
            machine.snapshots(),
            new SnapshotSchedule(1 << 20, Duration.ofHours(1), time),
            log,
            machine::fail,
            time);
  }

  private long snapshot() {
    return taker.take().join();
  }

  /** As if this were the log. */
  private static final class Log implements SnapshotTaker.Log {
    volatile long flushed = Long.MAX_VALUE;
    volatile long shared = Long.MAX_VALUE;
    final List<Long> purged = new CopyOnWriteArrayList<>();

    @Override
    public long flushedIndex() {
      return flushed;
    }

    @Override
    public long sharedIndex() {
      return shared;
    }

    @Override
    public void purge(long index) {
      purged.add(index);
    }
  }

  @AfterEach
  void stop() throws IOException {
    taker.close();
    machine.close();
    folder.close();
  }

  private void restart() throws IOException {
    stop();
    logUpTo(machine.getLastAppliedTermIndex().getIndex());
    start();
  }

  /** As if everything up to this entry were in the log. */
  private void logUpTo(long index) throws IOException {
    Files.writeString(log().resolve("log_0-" + index), "");
  }

  private Path log() {
    return folder.raft().resolve(group.getUuid() + "/current");
  }

  // Applying

  @Test
  void appliesEntriesInTheirOrderAndAnswersEach() {
    assertThat(reply(apply(1, open())).replies()).containsExactly(new Reply.SessionOpened());
    assertThat(reply(apply(2, acquire(2, "printer"))).replies())
        .containsExactly(new Reply.Granted(1));

    assertThat(told.news).containsExactly("applied 1", "applied 2");
    assertThat(machine.appliedIndex()).isEqualTo(2);
    assertThat(machine.getLastAppliedTermIndex().getIndex()).isEqualTo(2);
    assertThat(machine.appliedState().leases()).isEqualTo(1);
  }

  @Test
  void tellsWhatAnEntryHasDoneOnlyOnceTheTableHasIt() {
    List<Long> indexInTable = new ArrayList<>();
    told.whenApplied =
        () -> {
          try (TableReader view = machine.reader()) {
            indexInTable.add(view.appliedIndex());
          }
        };

    apply(1, open());
    apply(2, acquire(2, "printer"));

    assertThat(indexInTable).containsExactly(1L, 2L);
  }

  @Test
  void passesOverWhatTheTableHasAlreadyAfterARestart() throws IOException {
    apply(1, open());
    apply(2, acquire(2, "printer"));
    restart();
    told.news.clear();

    assertThat(apply(1, open())).isEqualTo(Message.EMPTY);
    assertThat(apply(2, acquire(2, "printer"))).isEqualTo(Message.EMPTY);
    assertThat(reply(apply(3, acquire(3, "scanner"))).replies())
        .containsExactly(new Reply.Granted(2));

    assertThat(told.news).containsExactly("applied 3");
  }

  @Test
  void tellsThatAnEntryWithoutABatchIsPassed() {
    apply(1, open());

    machine.notifyTermIndexUpdated(TERM, 2);

    assertThat(told.news).containsExactly("applied 1", "passed 2");
    assertThat(machine.appliedIndex()).isEqualTo(2);
  }

  @Test
  void batchWithoutEffectIsAnAnswerAndNoFailure() {
    assertThat(reply(apply(1, acquire(2, "printer"))).status())
        .isEqualTo(BatchReply.Status.SESSION_UNKNOWN);

    assertThat(machine.failure()).isEmpty();
  }

  // What cannot be applied stops the member

  @Test
  void entryThatIsCorruptStopsTheMemberAndSaysWhichItIs() {
    apply(1, open());

    assertThatThrownBy(() -> apply(2, ByteString.copyFrom("noise", StandardCharsets.UTF_8)))
        .isInstanceOf(UnreadableEntryException.class);

    assertThat(told.news).hasSize(2);
    assertThat(told.news.get(1))
        .startsWith("failed: this member cannot apply entry 2: log entry 2 is corrupt: ")
        .doesNotContain("disk");
    assertThat(machine.failure()).contains(told.news.get(1).substring("failed: ".length()));
    assertThat(machine.appliedIndex()).as("nothing of it is applied").isEqualTo(1);
  }

  @Test
  void entryOfANewerVersionStopsTheMemberAndAsksForAnUpgrade() {
    ByteString newer = ByteString.copyFrom(new byte[] {1 << 3, 99});

    assertThatThrownBy(() -> apply(1, newer)).isInstanceOf(UnreadableEntryException.class);

    assertThat(machine.failure().orElseThrow())
        .contains("entry 1")
        .contains("written by a newer version (format 99, this node reads 1): upgrade this node");
  }

  @Test
  void failureIsToldOnce() {
    ByteString noise = ByteString.copyFrom("noise", StandardCharsets.UTF_8);

    assertThatThrownBy(() -> apply(1, noise)).isInstanceOf(UnreadableEntryException.class);
    assertThatThrownBy(() -> apply(1, noise)).isInstanceOf(UnreadableEntryException.class);
    machine.notifyLogFailed(new IOException("No space left on device"), null);

    assertThat(told.news).hasSize(1);
  }

  @Test
  void logThatCannotBeWrittenStopsTheMemberAndSaysWhatToDo() {
    machine.notifyLogFailed(new IOException("No space left on device"), null);

    assertThat(told.news)
        .containsExactly(
            "failed: this member cannot write its log (No space left on device): the disk of %s is full, make room on it and start this node again"
                .formatted(root.resolve("n1")));
  }

  // On the leader

  @Test
  void leaderAppliesWhatItHasStampedAsItsFollowersDo() {
    leadership.ready = true;
    apply(1, open());
    time.advance(Duration.ofMillis(7));

    TransactionContext started = machine.startTransaction(request(acquire(2, "printer")));
    LogEntryProto entry = started.initLogEntry(TERM, 2);
    Message answer = machine.applyTransaction(started).join();

    assertThat(reply(answer).replies()).containsExactly(new Reply.Granted(TOKEN_BASE + 1));
    StateMachineLogEntryProto logged = entry.getStateMachineLogEntry();
    assertThat(new EntryCodec(batches).decode(2, logged.getLogData().asReadOnlyByteBuffer()))
        .isEqualTo(started.getStateMachineContext());
  }

  @Test
  void leaderGivesTokensABaseUntilThereIsOne() {
    leadership.ready = true;
    apply(1, open());
    propose(2, acquire(2, "printer"));

    BatchReply second = propose(3, acquire(3, "scanner"));

    assertThat(second.replies()).containsExactly(new Reply.Granted(TOKEN_BASE + 2));
    assertThat(stampOf(machine.startTransaction(request(acquire(4, "plotter")))).tokenFloor())
        .isZero();
  }

  /** As in the middle of an upgrade: it would stop the members that do not know it. */
  @Test
  void commandThatNotAllMembersKnowDoesNotGetIntoTheLog() {
    leadership.ready = true;
    sharedFormat = 0;

    TransactionContext refused = machine.startTransaction(request(acquire(2, "printer")));

    assertThat(refused.getException()).hasMessageContaining("not every member understands it");
    sharedFormat = 1;
    assertThat(machine.startTransaction(request(acquire(2, "printer"))).getException()).isNull();
  }

  @Test
  void whoDoesNotLeadStampsNothing() {
    TransactionContext refused = machine.startTransaction(request(open()));

    assertThat(refused.getException()).isInstanceOf(LeaderClock.NotLeadingException.class);
  }

  @Test
  void leaderRefusesWhatIsNoBatchOfANode() {
    leadership.ready = true;
    ByteString noise = ByteString.copyFrom("noise", StandardCharsets.UTF_8);
    ByteString large = ByteString.copyFrom(new byte[BatchCodec.BYTES_MAX + 1]);
    ByteString stores =
        ByteString.copyFrom(batches.encode(Batch.ofStore(List.of(new Command.ExpireSession(A)))));

    assertThat(refusal(noise)).contains("not a batch of this version");
    assertThat(refusal(large)).contains("is over the limit of " + BatchCodec.BYTES_MAX);
    assertThat(refusal(stores)).contains("only the leader itself");
    assertThat(machine.failure()).isEmpty();
  }

  private String refusal(ByteString bytes) {
    Exception why = machine.startTransaction(request(Message.valueOf(bytes))).getException();
    return String.valueOf(why == null ? null : why.getMessage());
  }

  @Test
  void batchOfThisNodesOwnMayBeInTheLogOnceItIsToBeAppended() {
    leadership.ready = true;
    ProposedMessage message =
        new ProposedMessage(open(), ByteString.copyFrom(batches.encode(open())));
    TransactionContext started = machine.startTransaction(request(message));
    assertThat(message.mayBeInLog()).isFalse();

    machine.preAppendTransaction(started);

    assertThat(message.mayBeInLog()).isTrue();
  }

  @Test
  void tellsWhoLeads() {
    RaftGroupMemberId self = RaftGroupMemberId.valueOf(RaftPeerId.valueOf("n1"), group);

    machine.notifyLeaderChanged(self, RaftPeerId.valueOf("n2"));
    machine.notifyLeaderChanged(self, null);
    machine.notifyLeaderReady();
    machine.notifyNotLeader(List.of());

    assertThat(told.news)
        .containsExactly("leader Optional[n2]", "leader Optional.empty", "leads", "follows");
  }

  // Snapshots

  @Test
  void snapshotHasWhatWasAppliedAndNoMore() throws IOException {
    apply(1, open());
    apply(2, acquire(2, "printer"));
    assertThat(snapshot()).isEqualTo(2);
    apply(3, acquire(3, "scanner"));

    machine.pause();
    machine.reinitialize();

    assertThat(told.news).endsWith("applied 3", "replaced 2");
    assertThat(machine.appliedIndex()).isEqualTo(2);
    assertThat(machine.getLastAppliedTermIndex().getIndex()).isEqualTo(2);
    assertThat(machine.appliedState().leases()).isEqualTo(1);
    assertThat(reply(apply(3, acquire(3, "scanner"))).replies())
        .containsExactly(new Reply.Granted(2));
  }

  @Test
  void snapshotOfWhatIsInOneAlreadyIsThatOne() {
    apply(1, open());

    assertThat(snapshot()).isEqualTo(1);
    assertThat(snapshot()).isEqualTo(1);
    assertThat(machine.takeSnapshot()).as("as Ratis is told").isEqualTo(1);
  }

  @Test
  void thereIsNoSnapshotOfNothing() {
    assertThatThrownBy(this::snapshot)
        .hasCauseInstanceOf(ProposeException.class)
        .hasMessageContaining("there is nothing yet");
    assertThat(machine.takeSnapshot()).as("as Ratis is told").isEqualTo(-1);
  }

  @Test
  void noSnapshotIsTakenWhileTheLeadersIsInstalled() throws IOException {
    apply(1, open());
    snapshot();
    apply(2, acquire(2, "printer"));
    machine.pause();

    assertThatThrownBy(this::snapshot)
        .hasCauseInstanceOf(ProposeException.class)
        .hasMessageContaining("no snapshot can be taken now");
    machine.reinitialize();

    assertThat(snapshot()).isEqualTo(1);
    assertThat(told.news).noneMatch(news -> news.startsWith("failed"));
  }

  @Test
  void snapshotThatIsBeingMadeWhenTheLeadersComesIsGivenUp() throws IOException {
    apply(1, open());
    log.flushed = 0;
    CompletableFuture<Long> waiting = taker.take();

    machine.pause();
    log.flushed = 1;

    assertThatThrownBy(waiting::join).hasCauseInstanceOf(ProposeException.class);
    assertThat(machine.snapshots().latest()).isEmpty();
    assertThat(told.news).noneMatch(news -> news.startsWith("failed"));
  }

  @Test
  void leadersNextSnapshotIsRefusedUntilTheLastIsTheTable() throws IOException {
    apply(1, open());
    snapshot();
    machine.pause();
    machine.pause(); // Ratis has failed to replace anything the last time
    replaceSnapshots();

    assertThatThrownBy(machine::pause)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is still being installed");
    assertThatThrownBy(machine::reinitialize).hasMessageContaining("is damaged");
  }

  @Test
  void leadersNextSnapshotIsRefusedForAMomentAfterTheLastHasBecomeTheTable() throws IOException {
    apply(1, open());
    snapshot();
    machine.pause();
    machine.reinitialize();

    assertThatThrownBy(machine::pause).isInstanceOf(IllegalStateException.class);
    time.advance(Duration.ofSeconds(1));
    machine.pause();
    machine.reinitialize();

    assertThat(told.news).endsWith("replaced 1", "replaced 1");
  }

  /** As Ratis does, here by one that says to be of another entry. */
  private void replaceSnapshots() throws IOException {
    Path snapshots = folder.raft().resolve(group.getUuid() + "/sm");
    Files.move(snapshots.resolve("snapshot.3_1"), snapshots.resolve("snapshot.3_9"));
  }

  @Test
  void crashBetweenTheTwoRenamesOfAnInstallLosesNothing() throws IOException {
    apply(1, open());
    apply(2, acquire(2, "printer"));
    snapshot();
    stop();
    DurableFiles.deleteTree(folder.table());
    Path snapshots = folder.raft().resolve(group.getUuid() + "/sm");
    Files.createDirectories(snapshots.resolveSibling("sm.tmp20200101-000000"));
    Files.move(snapshots, snapshots.resolveSibling("sm.tmp20200102-000000"));
    Path incoming = Files.createDirectories(snapshots.resolveSibling("tmp").resolve("snapshot-7"));
    Files.writeString(incoming.resolve("000008.sst"), "half of it");

    start();

    assertThat(machine.appliedState().leases()).isEqualTo(1);
    try (Stream<Path> left = Files.list(snapshots.resolveSibling("."))) {
      assertThat(left.map(path -> String.valueOf(path.getFileName())))
          .containsExactlyInAnyOrder("current", "sm");
    }
  }

  @Test
  void errorWhileASnapshotIsTakenStopsTheMemberAndKeepsNobodyWaiting() {
    SnapshotTaker failing =
        new SnapshotTaker(
            "n1",
            () -> {
              throw new OutOfMemoryError("as a test has it");
            },
            machine.snapshots(),
            new SnapshotSchedule(1 << 20, Duration.ofHours(1), time),
            log,
            machine::fail,
            time);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(failing.take()::join)
          .hasCauseInstanceOf(ProposeException.class)
          .hasMessageContaining("cannot take a snapshot");
    }
    assertThat(told.news).hasSize(1).first().asString().contains("cannot take a snapshot");
  }

  @Test
  void snapshotWaitsUntilTheLogIsAsFarOnDisk() {
    apply(1, open());
    log.flushed = 0;
    CompletableFuture<Long> taken = taker.take();
    assertThat(taker.take()).as("asked for meanwhile").isSameAs(taken);
    assertThat(machine.snapshots().latest()).isEmpty();

    log.flushed = 1;

    assertThat(taken.join()).isEqualTo(1);
  }

  @Test
  void logIsDroppedUpToTheSnapshotBeforeTheLast() {
    apply(1, open());
    snapshot();
    assertThat(log.purged).isEmpty();
    apply(2, acquire(2, "printer"));
    snapshot();
    apply(3, acquire(3, "scanner"));
    snapshot();

    assertThat(log.purged).containsExactly(1L, 2L);
  }

  @Test
  void logIsKeptForMembersThatAreOnTheirWayToIt() {
    log.shared = 0;
    for (int index = 1; index <= SnapshotFiles.RETAINED_MAX + 2; index++) {
      apply(index, index == 1 ? open() : acquire(index, "lease-" + index));
      snapshot();
    }
    assertThat(log.purged).last().isEqualTo(3L);
    assertThat(log.purged.subList(0, SnapshotFiles.RETAINED_MAX - 1)).containsOnly(1L);

    log.shared = SnapshotFiles.RETAINED_MAX + 2;
    snapshot();

    assertThat(log.purged).last().isEqualTo(SnapshotFiles.RETAINED_MAX + 1L);
  }

  @Test
  void startDoesNotReadAgainWhatTheTableHas() throws IOException {
    apply(1, open());
    for (int index = 2; index <= RocksLeaseTable.ENTRIES_PER_FLUSH + 2; index++) {
      apply(index, acquire(index, "lease-" + index % 10));
    }

    restart();

    assertThat(machine.getLastAppliedTermIndex().getIndex())
        .isEqualTo(RocksLeaseTable.ENTRIES_PER_FLUSH + 2);
    assertThat(machine.takeSnapshot()).isEqualTo(RocksLeaseTable.ENTRIES_PER_FLUSH + 2);
  }

  @Test
  void tableThatIsGoneIsMadeFromTheSnapshot() throws IOException {
    apply(1, open());
    apply(2, acquire(2, "printer"));
    snapshot();
    stop();
    DurableFiles.deleteTree(folder.table());

    start();

    assertThat(machine.appliedIndex()).isEqualTo(2);
    assertThat(machine.appliedState().leases()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CURRENT", "MANIFEST-.*"})
  void tableThatHasLostAFileIsRefusedUntilItIsDeleted(String lost) throws IOException {
    apply(1, open());
    apply(2, acquire(2, "printer"));
    snapshot();
    stop();
    Path gone = only(folder.table(), lost);
    Files.delete(gone);

    assertThatThrownBy(this::start)
        .isInstanceOf(TableException.class)
        .hasMessage(
            "the table in %s has lost its file %s".formatted(folder.table(), gone.getFileName()));

    folder.close();
    DurableFiles.deleteTree(folder.table());
    start();
    assertThat(machine.appliedState().leases()).isEqualTo(1);
  }

  private static Path only(Path folder, String name) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found =
          files.filter(file -> String.valueOf(file.getFileName()).matches(name)).toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }

  @Test
  void logWithoutItsBeginningIsRefusedWhenThereIsNoSnapshot() throws IOException {
    apply(1, open());
    stop();
    Files.writeString(log().resolve("log_54-61"), "");
    Files.writeString(log().resolve("log_62-70"), "");

    assertThatThrownBy(this::start)
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("has lost its snapshots, and its log only begins at entry 54");

    folder.close();
    logUpTo(53);
    start();
  }

  @Test
  void logThatIsGoneIsRefusedAlsoAfterACrash() throws IOException {
    apply(1, open());
    apply(2, acquire(2, "printer"));
    Path asOnDisk = root.resolve("crashed");
    copyTable(asOnDisk);
    stop();
    DurableFiles.deleteTree(folder.table());
    Files.move(asOnDisk, folder.table());

    assertThatThrownBy(this::start)
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("has lost the end of its log, which had entry 1 and is not there");

    folder.close();
    logUpTo(2);
    start();
  }

  /** What a kill leaves: files that were flushed, and nothing of what was only written. */
  private void copyTable(Path target) throws IOException {
    Files.createDirectory(target);
    try (Stream<Path> files = Files.list(folder.table())) {
      for (Path file : files.toList()) {
        Files.copy(file, target.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void logThatEndsBeforeTheTableIsRefused() throws IOException {
    for (int index = 1; index <= 10; index++) {
      apply(index, index == 1 ? open() : acquire(index, "lease-" + index));
    }
    stop();
    logUpTo(9);

    assertThatThrownBy(this::start)
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("has lost the end of its log, which had entry 10 and ends at 9");

    folder.close();
    logUpTo(10);
    start();
  }

  @Test
  void snapshotThatIsEmptyIsRefused() throws IOException {
    apply(1, open());
    apply(2, acquire(2, "printer"));
    snapshot();
    stop();
    DurableFiles.deleteTree(folder.table());
    Path snapshot = only(folder.raft().resolve(group.getUuid() + "/sm"), "snapshot.*");
    DurableFiles.deleteTree(snapshot);
    Files.createDirectory(snapshot);

    assertThatThrownBy(this::start)
        .isInstanceOf(StoreStartException.class)
        .hasMessageContainingAll("the snapshot of entry 2", "is damaged");

    // Nor does the next start take what the first one made of it.
    folder.close();
    assertThatThrownBy(this::start).isInstanceOf(StoreStartException.class);
  }

  @Test
  void snapshotOfWhichABitIsWrongIsRefusedAndTheTableStays() throws IOException {
    apply(1, open());
    apply(2, acquire(2, "printer"));
    snapshot();
    apply(3, acquire(3, "scanner"));
    Path snapshot = only(folder.raft().resolve(group.getUuid() + "/sm"), "snapshot.*");
    try (Stream<Path> files = Files.list(snapshot)) {
      flipABitOf(files.filter(file -> file.toString().endsWith(".sst")).findAny().orElseThrow());
    }

    machine.pause();
    assertThatThrownBy(machine::reinitialize)
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("the snapshot of entry 2 is damaged");

    assertThat(told.news).last().asString().startsWith("failed: this member cannot install");
    stop();
    RocksLeaseTable left = RocksLeaseTable.open(folder.table());
    assertThat(left.appliedIndex()).isEqualTo(3);
    left.close();
  }

  /** In a file of its own: the table has the one that the snapshot had. */
  private static void flipABitOf(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 4] ^= 1;
    Files.delete(file);
    Files.write(file, bytes);
  }

  @Test
  void snapshotThatCannotBeTakenStopsTheMember() throws IOException {
    apply(1, open());
    Path snapshots = folder.raft().resolve(group.getUuid() + "/sm");
    DurableFiles.deleteTree(snapshots);
    Files.writeString(snapshots, "not a folder");

    assertThatThrownBy(this::snapshot).hasCauseInstanceOf(ProposeException.class);

    assertThat(told.news).hasSize(2);
    assertThat(told.news.get(1))
        .startsWith("failed: this member cannot take a snapshot")
        .contains("see to the disk of %s and start this node again".formatted(root.resolve("n1")));
  }

  @Test
  void snapshotThatCannotBeInstalledStopsTheMember() {
    machine.pause();

    assertThatThrownBy(machine::reinitialize).isInstanceOf(IllegalStateException.class);

    assertThat(told.news).hasSize(1);
    assertThat(told.news.get(0))
        .startsWith("failed: this member cannot install the leader's snapshot");
  }

  // As Ratis calls

  private static Batch open() {
    return Batch.of(A, 1, List.of(new Command.OpenSession("n1", TTL)));
  }

  private static Batch acquire(long sequence, String name) {
    return Batch.of(
        A, sequence, List.of(new Command.Acquire(name, "a", TTL, sequence, false, false)));
  }

  /** As on a follower, which has only the bytes. */
  private Message apply(long index, Batch batch) {
    byte[] bytes = batches.encode(batch);
    byte[] header = new EntryCodec(batches).header(new Stamp(index, TERM, 0), 1, bytes.length);
    return apply(index, ByteString.copyFrom(header).concat(ByteString.copyFrom(bytes)));
  }

  private Message apply(long index, ByteString logData) {
    LogEntryProto entry =
        LogEntryProto.newBuilder()
            .setTerm(TERM)
            .setIndex(index)
            .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder().setLogData(logData))
            .build();
    return machine
        .applyTransaction(
            TransactionContext.newBuilder().setStateMachine(machine).setLogEntry(entry).build())
        .join();
  }

  private BatchReply propose(long index, Batch batch) {
    TransactionContext started = machine.startTransaction(request(batch));
    LogEntryProto unused = started.initLogEntry(TERM, index);
    return reply(machine.applyTransaction(started).join());
  }

  private static BatchReply reply(Message message) {
    return ((ReplyMessage) message).reply();
  }

  private static Stamp stampOf(TransactionContext started) {
    return ((StampedBatch) started.getStateMachineContext()).stamp();
  }

  private RaftClientRequest request(Batch batch) {
    return request(Message.valueOf(ByteString.copyFrom(batches.encode(batch))));
  }

  private RaftClientRequest request(Message message) {
    return RaftClientRequest.newBuilder()
        .setClientId(ClientId.randomId())
        .setServerId(RaftPeerId.valueOf("n1"))
        .setGroupId(group)
        .setCallId(1)
        .setMessage(message)
        .setType(RaftClientRequest.writeRequestType())
        .build();
  }

  /** Only ever asked for its name. */
  private static RaftServer server() {
    return (RaftServer)
        Proxy.newProxyInstance(
            RaftServer.class.getClassLoader(),
            new Class<?>[] {RaftServer.class},
            (self, method, arguments) -> RaftPeerId.valueOf("n1"));
  }

  /** Writes down what is told. */
  private static final class Told implements LeaseStateMachine.Listener {
    final List<String> news = new ArrayList<>();
    Runnable whenApplied = () -> {};

    @Override
    public void begins(RaftServer server, RaftGroupId begun) {
      // Nothing to be told of.
    }

    @Override
    public void read(int bytes) {
      assertThat(bytes).isPositive();
    }

    @Override
    public void applied(long index, Outcome outcome) {
      news.add("applied " + index);
      whenApplied.run();
    }

    @Override
    public void replaced(long index) {
      news.add("replaced " + index);
    }

    @Override
    public void passed(long index) {
      news.add("passed " + index);
    }

    @Override
    public void leads() {
      news.add("leads");
    }

    @Override
    public void follows() {
      news.add("follows");
    }

    @Override
    public void leaderChanged(Optional<String> leader) {
      news.add("leader " + leader);
    }

    @Override
    public void failed(String why) {
      news.add("failed: " + why);
    }
  }

  private static final class Leadership implements LeaderClock.Leadership {
    boolean ready;

    @Override
    public long term() {
      return TERM;
    }

    @Override
    public boolean isReady() {
      return ready;
    }
  }

  /** A folder, as Ratis would have made it. */
  private record Storage(Path folder) implements RaftStorage, RaftStorageDirectory {

    void format() throws IOException {
      Path votes = getCurrentDir().toPath().resolve("raft-meta");
      Files.createDirectories(votes.getParent());
      Files.writeString(votes, "term=1\nvotedFor=n1\n");
    }

    @Override
    public RaftStorageDirectory getStorageDir() {
      return this;
    }

    @Override
    public File getRoot() {
      return folder.toFile();
    }

    @Override
    public boolean isHealthy() {
      return true;
    }

    @Override
    public void initialize() {}

    @Override
    public RaftStorageMetadataFile getMetadataFile() {
      throw new UnsupportedOperationException("votes are Ratis' own");
    }

    @Override
    public CorruptionPolicy getLogCorruptionPolicy() {
      return CorruptionPolicy.EXCEPTION;
    }

    @Override
    public void close() {}
  }
}
