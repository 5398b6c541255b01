package io.leasehold.store.ratis;

import io.leasehold.store.StoreStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.RaftServerAsynchronousProtocol;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's own Raft server, as the rest of the store sees it. Safe for many threads once bound.
 *
 * <p>The server needs the state machine to be built, and the state machine asks the server whether
 * it leads: this class stands between them.
 */
final class LocalServer
    implements LeaderClock.Leadership,
        AppendGuard.Server,
        SnapshotTaker.Log,
        SlowDisk.Server,
        RaftClientAsynchronousProtocol {

  private static final Logger LOG = LoggerFactory.getLogger(LocalServer.class);

  /** A member that has been silent for longer may be away, and the log does not wait for it. */
  private static final Duration HEARD_WITHIN = Duration.ofSeconds(5);

  private final Function<String, RaftPeerId> peers;
  private volatile RaftServer.@Nullable Division division;

  /**
   * @param peers says who a member is to Ratis
   */
  LocalServer(Function<String, RaftPeerId> peers) {
    this.peers = peers;
  }

  /** Called once, before it hears anything of the group or says anything. */
  void bind(RaftServer server, RaftGroupId group) throws IOException {
    division = server.getDivision(group);
  }

  /** Whether this node is in a group, or follows one at least, and its part has begun. */
  @Override
  public boolean isBound() {
    RaftServer.Division bound = division;
    return bound != null && bound.getInfo().getCurrentRole() != null;
  }

  /** Returns the server, as Ratis has it. */
  RaftServer.Division division() {
    RaftServer.Division bound = division;
    if (bound == null) {
      throw new IllegalStateException("the server is not there yet");
    }
    return bound;
  }

  DivisionInfo info() {
    return division().getInfo();
  }

  @Override
  public long term() {
    return isBound() ? info().getCurrentTerm() : 0;
  }

  @Override
  public boolean isReady() {
    return isBound() && info().isLeaderReady();
  }

  @Override
  public boolean isAlive() {
    return !isBound() || info().isAlive();
  }

  /** Ratis' server is its own lock. */
  @Override
  public Object lock() {
    return division();
  }

  @Override
  public boolean isSettledFor(long leaderTerm) {
    long term = term();
    RaftPeerRole role = info().getCurrentRole();
    return term > leaderTerm
        || (term == leaderTerm && (role == RaftPeerRole.FOLLOWER || role == RaftPeerRole.LISTENER));
  }

  @Override
  public boolean isCutBy(AppendEntriesRequestProto request) {
    RaftLog log = division().getRaftLog();
    return request.getEntriesList().stream()
        .map(TermIndex::valueOf)
        .takeWhile(entry -> entry.getIndex() < log.getNextIndex())
        .anyMatch(
            entry -> {
              TermIndex there = log.getTermIndex(entry.getIndex()); // null once it is purged
              return there != null && !there.equals(entry);
            });
  }

  @Override
  public CompletableFuture<?> append(AppendEntriesRequestProto request) {
    try {
      return ((RaftServerAsynchronousProtocol) division()).appendEntriesAsync(request);
    } catch (IOException | RuntimeException e) {
      LOG.debug("cannot append now; the leader will try again", e);
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public long flushedIndex() {
    return division().getRaftLog().getFlushIndex();
  }

  @Override
  public long lastIndex() {
    TermIndex last = lastEntry(division());
    return last == null ? RaftLog.INVALID_LOG_INDEX : last.getIndex();
  }

  /** Whether it is in the group, and will be when a change that is under way is done. */
  boolean isToStay() {
    RaftConfiguration members = division().getRaftConf();
    return Stream.of(RaftPeerRole.FOLLOWER, RaftPeerRole.LISTENER)
        .flatMap(role -> members.getCurrentPeers(role).stream())
        .anyMatch(peer -> peer.getId().equals(division().getId()));
  }

  /**
   * The last entry that it knows to be committed, in its own log or, where that is not complete, in
   * those of others; -1 before its log is open.
   */
  long committedIndex() {
    if (!isBound()) {
      return RaftLog.INVALID_LOG_INDEX;
    }
    try {
      long committed = division().getRaftLog().getLastCommittedIndex();
      for (CommitInfoProto member : division().getCommitInfos()) {
        committed = Math.max(committed, member.getCommitIndex());
      }
      return committed;
    } catch (IllegalStateException e) {
      LOG.debug("the log is not open yet, or closed", e);
      return RaftLog.INVALID_LOG_INDEX;
    }
  }

  /** How many entries of its log it has not applied. */
  long entriesToApply() {
    TermIndex last = lastEntry(division());
    return last == null ? 0 : last.getIndex() - info().getLastAppliedIndex();
  }

  /** Itself included. */
  Optional<String> leader() {
    return isBound()
        ? Optional.ofNullable(info().getLeaderId()).map(PeerIdentity::nameOf)
        : Optional.empty();
  }

  StoreStatus.Role role() {
    if (!isBound()) {
      return StoreStatus.Role.FOLLOWER;
    }
    RaftPeerRole role = info().getCurrentRole();
    return switch (role) {
      case LEADER -> StoreStatus.Role.LEADER;
      case CANDIDATE -> StoreStatus.Role.CANDIDATE;
      case LISTENER -> StoreStatus.Role.LISTENER;
      case FOLLOWER, UNRECOGNIZED -> StoreStatus.Role.FOLLOWER;
    };
  }

  /**
   * Asks this server. Not by the server's front door: that would hand the request to another thread
   * and wait for it.
   */
  @Override
  public CompletableFuture<RaftClientReply> submitClientRequestAsync(RaftClientRequest request)
      throws IOException {
    return ((RaftClientAsynchronousProtocol) division()).submitClientRequestAsync(request);
  }

  /**
   * Asks the member that is nearest to this leader's log to lead instead.
   *
   * @param heardWithin only members that have answered as recently as this are asked
   * @param limit after which the attempt is given up
   * @return completes when it leads or the attempt has failed; at once if nobody can be asked
   */
  CompletableFuture<Boolean> handOver(Duration heardWithin, Duration limit) {
    return lead()
        .flatMap(lead -> lead.heir(heardWithin))
        .map(heir -> transfer(heir, limit))
        .orElseGet(() -> CompletableFuture.completedFuture(false));
  }

  /** Gives the leadership up in favour of nobody. */
  CompletableFuture<Boolean> stepDown(Duration limit) {
    return transfer(null, limit);
  }

  /**
   * Asks another member to lead instead of this server, if this one does.
   *
   * @param to whom; null for whoever is elected
   * @return completes with whether that one leads now
   */
  @Override
  public CompletableFuture<Boolean> transfer(@Nullable String to, Duration limit) {
    RaftServer.Division from = division();
    try {
      return from.getRaftServer()
          .transferLeadershipAsync(toTransfer(from.getId(), to, limit))
          .handle((answer, failure) -> failure == null && answer.isSuccess());
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.completedFuture(false);
    }
  }

  /**
   * Returns what a leader is asked with to hand over.
   *
   * @param to whom; null for whoever is elected
   */
  TransferLeadershipRequest toTransfer(RaftPeerId leader, @Nullable String to, Duration limit) {
    return new TransferLeadershipRequest(
        ClientId.randomId(),
        leader,
        division().getMemberId().getGroupId(),
        0,
        to == null ? null : peers.apply(to),
        Math.max(1, limit.toMillis()));
  }

  @Override
  public long sharedIndex() {
    return lead().map(lead -> lead.sharedIndex(HEARD_WITHIN)).orElse(Long.MAX_VALUE);
  }

  @Override
  public void purge(long index) {
    var unused = division().getRaftLog().purge(index);
  }

  /** Returns the last entry of its log; null without one, and once the log is closed. */
  static @Nullable TermIndex lastEntry(RaftServer.Division self) {
    try {
      return self.getRaftLog().getLastEntryTermIndex();
    } catch (IllegalStateException e) {
      LOG.debug("the log is closed: this server is being closed itself", e);
      return null;
    }
  }

  /**
   * Ends what threads the closed server has left: one that changed its role while it was being
   * closed goes on waiting for an election for ever.
   */
  void endStrays() {
    if (division != null) {
      division().getThreadGroup().interrupt();
    }
  }

  @Override
  public Optional<Lead> lead() {
    if (!isBound() || !info().isLeader()) {
      return Optional.empty();
    }
    RaftConfiguration group = division().getRaftConf();
    RoleInfoProto role = info().getRoleInfoProto();
    long[] matches = info().getFollowerMatchIndices();
    return role.hasLeaderInfo() && matches != null
        ? Optional.of(Lead.of(role, matches, peer -> group.getPeer(peer) != null))
        : Optional.empty();
  }

  /**
   * Drops the server's connections to a member at once; they are made anew when needed. Ratis would
   * wait three seconds for each to end in order, unless the thread is interrupted.
   */
  void dropConnection(String member) {
    Thread.currentThread().interrupt();
    try {
      division()
          .getRaftServer()
          .getServerRpc()
          .handleException(peers.apply(member), new IOException("the member was silent"), true);
    } finally {
      boolean unused = Thread.interrupted();
    }
  }
}
