package io.leasehold.store.ratis;

import io.leasehold.Subscription;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.Member;
import io.leasehold.store.PeerRefusal;
import io.leasehold.store.ProposeException;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreFigures;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.StoreStatus;
import io.leasehold.store.TableDigest;
import io.leasehold.store.codec.BatchCodec;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.ExpiryView;
import io.leasehold.store.core.LeaseMachine;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.Outcome;
import io.leasehold.store.guard.AddressBook;
import io.leasehold.store.guard.Entrance;
import io.leasehold.store.guard.Exposure;
import io.leasehold.store.guard.MemberTls;
import io.leasehold.store.guard.RefusalLog;
import io.leasehold.store.rocks.TableException;
import io.leasehold.store.rocks.TableReader;
import io.leasehold.time.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica, wired: the Raft server, the state machine and what belongs to them. Safe for many
 * threads.
 */
public final class Replica implements LeaseStore, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Replica.class);

  /**
   * How often the leader's clock is kept going, and the server looked after. Less often than {@link
   * LeaderClock#STEP_MAX} demands would slow lease time down; each look wakes a processor up.
   */
  private static final Duration TICK = Duration.ofMillis(200);

  /** How old a snapshot becomes at most before the next, unless nothing has happened. */
  private static final Duration SNAPSHOT_INTERVAL = Duration.ofHours(1);

  private final StoreConfig config;
  private final NodeFolder folder;
  private final Clock wallClock;
  private final NodeTimer timer;
  private final Roster roster;
  private final LocalServer local;
  private final Membership membership;
  private final WatchHub watchers = new WatchHub();
  private final ReplicaReads reads;
  private final CommitNews commitNews = new CommitNews();
  private final LeaseStateMachine stateMachine;
  private final ExpiryProposer expiry;
  private final ExpiryLog expiryLog;
  private final Proposer proposer;
  private final Operations operations;
  private final MembershipChange membershipChange;
  private final SnapshotSchedule snapshotSchedule;
  private final SnapshotTaker snapshots;
  private final RaftServer server;
  private final Watchdog watchdog;
  private final LeaderWatch leaderWatch;
  private final SlowDisk slowDisk;
  private final RefusalLog refusals;
  private final Optional<MemberTls> tls;
  private final ReplicaReport report;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Object closingLock = new Object();
  private boolean serverClosed;
  private boolean seemedDead;
  private final Object leaderLock = new Object();
  private Optional<String> toldLeader = Optional.empty();

  private Replica(StoreConfig config, NodeFolder folder, Ticker ticker, Clock wallClock)
      throws IOException {
    this.config = config;
    this.folder = folder;
    this.wallClock = wallClock;
    this.timer = new NodeTimer("leasehold-" + config.nodeId());
    this.snapshotSchedule =
        new SnapshotSchedule(config.snapshotLogBytes(), SNAPSHOT_INTERVAL, ticker);
    RaftPeerId self = folder.identity().peer();
    this.refusals = new RefusalLog(config.nodeId(), ticker);
    AddressBook addresses = new AddressBook(this::groupMembers);
    this.tls =
        config.tls().map(files -> MemberTls.open(config, files, addresses, refusals, wallClock));
    MemberChannels channels =
        new MemberChannels(
            self.toString(), RatisSettings.MESSAGE_BYTES_MAX, tls.map(MemberTls::forCalling));
    Function<Member, MemberLink> connect =
        member -> {
          addresses.add(member);
          return new MemberLink(member, channels, ticker, timer);
        };
    this.roster = new Roster(config, self, folder.identity()::addressOf, connect);
    this.local = new LocalServer(roster::peer);
    this.membership =
        new Membership(config, folder, local, roster, ticker, timer, new MembershipListener());
    Limits limits = Limits.DEFAULT;
    BatchCodec batches = new BatchCodec(limits);
    this.stateMachine =
        new LeaseStateMachine(
            folder,
            new LeaseMachine(limits),
            batches,
            local,
            ticker,
            wallClock,
            membership::sharedFormat,
            new Listener());
    this.proposer =
        new Proposer(
            config.nodeId(), folder.identity()::groupId, local, local::leader, roster, batches);
    this.operations = new Operations(config, local, roster, proposer, ticker, timer);
    this.membershipChange =
        new MembershipChange(
            membership,
            local,
            roster,
            operations,
            new Admission(config, membership, connect, timer),
            ticker,
            timer);
    this.reads = new ReplicaReads(config, stateMachine::reader, timer);
    this.snapshots =
        new SnapshotTaker(
            config.nodeId(),
            stateMachine::table,
            stateMachine.snapshots(),
            snapshotSchedule,
            local,
            stateMachine::fail,
            timer);
    this.expiryLog = new ExpiryLog(config.nodeId());
    this.expiry =
        new ExpiryProposer(stateMachine.clock(), this::look, proposer::proposeHere, timer);
    this.server =
        server(
            new CallerGuard(
                config,
                self,
                new KnownGroup(folder.identity(), local, roster, addresses),
                refusals));
    this.leaderWatch =
        new LeaderWatch(
            config.nodeId(),
            roster::voters,
            new Candidacy(local, roster),
            new MemberLinks(roster),
            timer,
            ticker);
    this.slowDisk = new SlowDisk(config, local, ticker);
    this.report =
        new ReplicaReport(
            config,
            local,
            stateMachine,
            roster,
            membership,
            slowDisk,
            tls,
            snapshotSchedule,
            new DiskMeasure(config.nodeId(), folder, ticker),
            closed::get);
    this.watchdog = new Watchdog(config, local, roster, ticker, timer);
  }

  private List<Command> look(Function<ExpiryView, List<Command>> question) {
    try (TableReader view = stateMachine.reader()) {
      return question.apply(view);
    }
  }

  private RaftServer server(CallerGuard callers) throws IOException {
    NodeIdentity identity = folder.identity();
    RaftProperties properties = RatisSettings.properties(config, folder.raft());
    Parameters parameters =
        RatisSettings.parameters(
            identity.peer(),
            local,
            membership::introduction,
            callers,
            new Entrance(tls, refusals),
            tls);
    commitNews.addTo(properties, parameters);
    RaftServer.Builder builder =
        RaftServer.newBuilder()
            .setServerId(identity.peer())
            .setProperties(properties)
            .setParameters(parameters)
            // Formats a folder that has never been used; NodeFolder has refused any other without
            // its state.
            .setOption(RaftStorage.StartupOption.RECOVER)
            .setStateMachineRegistry(this::stateMachine);
    if (identity.hasGroup()) {
      builder.setGroup(identity.groupToStart());
    }
    return builder.build();
  }

  /** Anybody may ask a server of Ratis to take part in another group, too. */
  private StateMachine stateMachine(RaftGroupId group) {
    NodeIdentity identity = folder.identity();
    if (!identity.hasGroup() || !identity.groupId().equals(group)) {
      throw new IllegalArgumentException("this node is in one group, and not in " + group);
    }
    return stateMachine;
  }

  /**
   * Starts a replica: when this returns it takes part in the group, which may not have a leader
   * yet.
   *
   * @param ticker the monotonic clock of this machine
   * @param wallClock read once in the life of a cluster
   * @throws StoreStartException with a sentence that says what to do
   */
  public static Replica start(StoreConfig config, Ticker ticker, Clock wallClock) {
    Embedding.tame();
    Exposure.of(config)
        .ifPresent(
            why -> {
              throw new StoreStartException(why, null);
            });
    NodeFolder folder = NodeFolder.open(config);
    Replica replica = null;
    try {
      StartFailures.requireRoom(config);
      StartFailures.requireFreePort(config);
      replica = new Replica(config, folder, ticker, wallClock);
      replica.start();
      return replica;
    } catch (IOException | RuntimeException e) {
      try {
        if (replica == null) {
          folder.close();
        } else {
          replica.close();
        }
      } catch (RuntimeException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw StartFailures.explain(config, e);
    }
  }

  private void start() throws IOException {
    startServer();
    LOG.info(
        "node {} of cluster {} started on {}",
        config.nodeId(),
        config.cluster(),
        config.self().address());
    membership.start(server);
    timer.repeat(TICK, this::tick);
  }

  /**
   * What of Ratis' server has never been started it never closes, either, and gRPC's threads, which
   * the process shares, would stay for ever.
   */
  private void startServer() throws IOException {
    try {
      server.start();
    } catch (IOException | RuntimeException e) {
      try {
        server.getServerRpc().start();
      } catch (IOException | RuntimeException alsoFailed) {
        e.addSuppressed(alsoFailed);
      }
      throw e;
    }
  }

  private void tick() {
    tls.ifPresent(MemberTls::tick);
    var unused = stateMachine.clock().tick();
    Optional<String> leader = report.leader();
    if (!leader.equals(Optional.of(config.nodeId()))) {
      tellLeader(leader); // also when an older piece of news has overtaken a newer one
    }
    if (closed.get() || !local.isBound()) {
      return;
    }
    membership.follow();
    if (local.isAlive()) {
      lookAfterVote();
      watchdog.tick();
      slowDisk.tick();
      membership.tick();
      snapshots.tick();
    } else if (!seemedDead) {
      seemedDead = true; // why, may be about to be told
    } else {
      if (!local.isToStay()) {
        stateMachine.dismissed();
      }
      stop(report.failure().orElse("the Raft server has stopped"));
    }
  }

  private void lookAfterVote() {
    try {
      if (folder.vote().isLost(local::term)) {
        throw new IOException("its file was left empty, as on a full disk");
      }
    } catch (IOException e) {
      stateMachine.fail("this member cannot write its vote", e);
    }
  }

  /**
   * Takes this replica out of its group, for good: it cannot write its log, vote or table, and must
   * neither lead nor promise anything. The folder stays its own until it is closed.
   */
  private void stop(String why) {
    if (!stopped.compareAndSet(false, true)) {
      return;
    }
    LOG.error("node {} leaves its group: {}", config.nodeId(), why);
    reads.close(why);
    watchers.stopped(why);
    Thread stopping = new Thread(this::stopServer, "leasehold-" + config.nodeId() + "-stop");
    stopping.setDaemon(true);
    stopping.start();
  }

  private void stopServer() {
    new ServerClosing("leasehold-" + config.nodeId() + "-stop", this::closeServer).run();
    roster.close();
  }

  private void tellLeader(Optional<String> leader) {
    synchronized (leaderLock) {
      if (toldLeader.equals(leader)) {
        return;
      }
      toldLeader = leader;
      timer.execute(() -> leaderWatch.leaderChanged(leader));
    }
    proposer.leaderChanged(leader);
    LOG.info(
        "node {}: {}",
        config.nodeId(),
        leader.map(id -> id + " leads").orElse("no leader is known"));
    watchers.leaderChanged(leader);
  }

  @Override
  public long refused(PeerRefusal kind) {
    return refusals.count(kind);
  }

  private List<Member> groupMembers() {
    return local.isBound() ? roster.membersOf(local.division().getRaftConf()) : List.of();
  }

  /** What a guard may know. */
  private record KnownGroup(
      NodeIdentity identity, LocalServer local, Roster roster, AddressBook addresses)
      implements CallerGuard.Group {

    @Override
    public Optional<RaftGroupId> id() {
      return identity.hasGroup() ? Optional.of(identity.groupId()) : Optional.empty();
    }

    @Override
    public boolean has(String name) {
      List<Member> members =
          local.isBound() ? roster.membersOf(local.division().getRaftConf()) : roster.members();
      return members.stream().anyMatch(member -> member.id().equals(name));
    }

    @Override
    public void expect(Member member) {
      addresses.add(member);
    }
  }

  /** What follows from who is in the group. */
  private final class MembershipListener implements Membership.Listener {

    @Override
    public void membersChanged() {
      timer.execute(() -> leaderWatch.leaderChanged(report.leader()));
    }

    @Override
    public void dismissed() {
      stateMachine.dismissed();
    }

    @Override
    public void failed(Exception cause) {
      stateMachine.fail("this node cannot take part in its group", cause);
    }
  }

  /** Takes what the state machine tells to whom it concerns. */
  private final class Listener implements LeaseStateMachine.Listener {

    @Override
    public void begins(RaftServer server, RaftGroupId group) throws IOException {
      local.bind(server, group);
      membership.follow();
    }

    @Override
    public void read(int bytes) {
      snapshotSchedule.applied(bytes);
    }

    @Override
    public void applied(long index, Outcome outcome) {
      expiry.applied(outcome.changes());
      expiryLog.applied(outcome.events());
      watchers.applied(index, outcome.events());
      reads.applied(index);
      if (outcome.concernsOthers()) {
        commitNews.tell();
      }
    }

    @Override
    public void replaced(long index) {
      snapshotSchedule.installed();
      watchers.replaced(index);
      reads.applied(index);
    }

    @Override
    public void passed(long index) {
      reads.applied(index);
    }

    @Override
    public void leads() {
      try (TableReader view = stateMachine.reader()) {
        expiry.lead(view);
      }
      tellLeader(Optional.of(config.nodeId()));
    }

    @Override
    public void follows() {
      expiry.follow();
    }

    /** That it leads itself this node tells when it is ready to. */
    @Override
    public void leaderChanged(Optional<String> leader) {
      if (!leader.equals(Optional.of(config.nodeId()))) {
        tellLeader(leader);
      }
    }

    @Override
    public void failed(String why) {
      stop(why);
    }
  }

  @Override
  public String node() {
    return config.nodeId();
  }

  @Override
  public CompletionStage<BatchReply> propose(Batch batch, int attempt) {
    return serving(() -> proposer.propose(batch, attempt));
  }

  @Override
  public CompletionStage<Boolean> transferLeadership(String to) {
    return serving(() -> operations.transferLeadership(to));
  }

  @Override
  public CompletionStage<Void> addMember(Member member) {
    return serving(() -> membershipChange.add(member));
  }

  @Override
  public CompletionStage<Void> removeMember(String id) {
    return serving(() -> membershipChange.remove(id));
  }

  @Override
  public CompletionStage<Long> snapshot() {
    return serving(snapshots::take);
  }

  /** Makes a call unless this replica has stopped. */
  private <T> CompletionStage<T> serving(Supplier<CompletionStage<T>> call) {
    Optional<String> no = report.failure().or(membership::waitsFor);
    if (no.isPresent()) {
      return CompletableFuture.failedFuture(new ProposeException(no.get(), true, null));
    }
    try {
      return call.get();
    } catch (ProposeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public Subscription watch(Watcher watcher) {
    return watchers.add(watcher);
  }

  @Override
  public CompletionStage<Reading> readAt(long index) {
    return reads.readAt(index);
  }

  @Override
  public CompletionStage<TableDigest> digestAt(long index) {
    return reads.digestAt(index);
  }

  @Override
  public CompletionStage<Long> backup(Path file) {
    return serving(
        () ->
            CompletableFuture.supplyAsync(
                () -> backupNow(file),
                backup -> new Thread(backup, "leasehold-" + config.nodeId() + "-backup").start()));
  }

  private long backupNow(Path file) {
    try {
      return new BackupFile(file)
          .write(config.cluster(), stateMachine.table(), folder.unfinishedBackup(), wallClock);
    } catch (IOException | TableException | IllegalStateException e) {
      throw new ProposeException(
          "no backup was written to %s: %s".formatted(file, e.getMessage()), true, e);
    }
  }

  @Override
  public StoreStatus status() {
    return report.status();
  }

  @Override
  public StoreFigures figures() {
    return report.figures();
  }

  /** Gives the leadership away if it can, and stops; bounded in time, idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      handOver();
      new ServerClosing("leasehold-" + config.nodeId() + "-close", this::closeAll).run();
    }
  }

  private void handOver() {
    if (config.closeTimeout().isZero() || !local.isBound() || stopped.get()) {
      return;
    }
    try {
      boolean done =
          local
              .handOver(config.electionTimeoutMax(), config.closeTimeout())
              .get(config.closeTimeout().toMillis(), TimeUnit.MILLISECONDS);
      LOG.debug("node {}: leadership handed over: {}", config.nodeId(), done);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.info("node {}: nobody has taken the leadership over in time", config.nodeId());
    }
  }

  /** Whoever comes second waits for the first, and finds it done. */
  private void closeServer() {
    synchronized (closingLock) {
      if (serverClosed) {
        return;
      }
      serverClosed = true;
      membership.close();
      snapshots.stop();
      try {
        server.close(); // first of all: it must not lead any more
        if (local.isBound()) {
          folder.vote().keep(local.term());
        }
      } catch (IOException | RuntimeException e) {
        LOG.warn("the Raft server of node {} has not closed cleanly", config.nodeId(), e);
      }
      local.endStrays();
      snapshots.close();
    }
  }

  private void closeAll() {
    closeServer();
    reads.close("the node is closed");
    roster.close();
    timer.close();
    folder.close();
    LOG.info("node {} closed", config.nodeId());
  }
}
