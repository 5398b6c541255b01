package io.leasehold.store.ratis;

import io.leasehold.store.StoreStatus;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * This node's own Raft server, as the rest of the store sees it. Safe for many threads once bound.
 *
 * <p>The server needs the state machine to be built, and the state machine asks the server whether
 * it leads: this class stands between them.
 */
final class LocalServer implements LeaderClock.Leadership, RaftClientAsynchronousProtocol {

  private volatile RaftServer.@Nullable Division division;

  /** Called once, before the server starts. */
  void bind(RaftServer server, RaftGroupId group) throws IOException {
    division = server.getDivision(group);
  }

  private RaftServer.Division division() {
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
    return info().getCurrentTerm();
  }

  @Override
  public boolean isReady() {
    return info().isLeaderReady();
  }

  boolean isAlive() {
    return info().isAlive();
  }

  /** Whom this server follows, itself included. */
  Optional<String> leader() {
    return Optional.ofNullable(info().getLeaderId()).map(RaftPeerId::toString);
  }

  StoreStatus.Role role() {
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
}
