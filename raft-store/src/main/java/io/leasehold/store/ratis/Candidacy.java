package io.leasehold.store.ratis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.util.ProtoUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's own Raft server, as one that may stand for election. Safe for many threads. */
final class Candidacy implements LeaderWatch.Server {

  private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);

  /** How long another member may take to say where its log ends. */
  private static final Duration ASK_LIMIT = Duration.ofMillis(50);

  private final LocalServer server;
  private final Roster roster;

  Candidacy(LocalServer server, Roster roster) {
    this.server = server;
    this.roster = roster;
  }

  @Override
  public long term() {
    return server.term();
  }

  @Override
  public Optional<String> leader() {
    return server.leader();
  }

  @Override
  public long entriesToApply() {
    return server.entriesToApply();
  }

  /**
   * Stands for election at once, as Ratis does when a leader that hands over asks for it; here
   * nobody can ask any more. No effect unless this server still follows that leader. On a thread of
   * its own, as it waits for appends that have begun.
   */
  @Override
  public void stand(String goneLeader) {
    inBackground("leasehold-stand", () -> standNow(goneLeader));
  }

  private void standNow(String goneLeader) {
    RaftServer.Division self = server.division();
    TermIndex last = LocalServer.lastEntry(self);
    if (last == null) {
      return;
    }
    StartLeaderElectionRequestProto request =
        StartLeaderElectionRequestProto.newBuilder()
            .setServerRequest(
                RaftRpcRequestProto.newBuilder()
                    .setRequestorId(roster.peer(goneLeader).toByteString())
                    .setReplyId(self.getId().toByteString())
                    .setRaftGroupId(
                        ProtoUtils.toRaftGroupIdProtoBuilder(self.getMemberId().getGroupId())))
            .setLeaderLastEntry(last.toProto())
            .build();
    try {
      boolean standing =
          self.getRaftServer().startLeaderElection(request).getServerReply().getSuccess();
      LOG.debug("stands for election: {}", standing);
    } catch (IOException | RuntimeException e) {
      LOG.info("cannot stand for election now; the election timeout will do", e);
    }
  }

  /**
   * By asking for a vote as before an election, with an empty log: that is refused and changes
   * nothing, and the refusal says where the other's log ends. Each on a thread of its own, as it
   * waits for the answer.
   */
  @Override
  public CompletableFuture<Boolean> wouldLose(List<String> others) {
    RaftServer.Division self = server.division();
    TermIndex last = LocalServer.lastEntry(self);
    CompletableFuture<Boolean> loses = new CompletableFuture<>();
    if (last == null || others.isEmpty()) {
      loses.complete(last == null);
      return loses;
    }
    int members = others.size() + 2; // this one and the leader that is gone
    AtomicInteger votes = new AtomicInteger(1 + others.size());
    AtomicInteger unanswered = new AtomicInteger(others.size());
    for (String other : others) {
      inBackground(
          "leasehold-ask-" + other,
          () -> {
            if (refusesVote(self, other, last) && votes.decrementAndGet() <= members / 2) {
              loses.complete(true);
            }
            if (unanswered.decrementAndGet() == 0) {
              loses.complete(false);
            }
          });
    }
    return loses.completeOnTimeout(false, ASK_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void inBackground(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Whether its log is newer, or its term: then it has voted already, maybe for itself. */
  private boolean refusesVote(RaftServer.Division self, String other, TermIndex last) {
    try {
      long term = self.getInfo().getCurrentTerm();
      RequestVoteRequestProto question =
          RequestVoteRequestProto.newBuilder()
              .setServerRequest(
                  RaftRpcRequestProto.newBuilder()
                      .setRequestorId(self.getId().toByteString())
                      .setReplyId(roster.peer(other).toByteString())
                      .setRaftGroupId(
                          ProtoUtils.toRaftGroupIdProtoBuilder(self.getMemberId().getGroupId())))
              .setCandidateTerm(term)
              .setCandidateLastEntry(TermIndex.valueOf(0, 0).toProto())
              .setPreVote(true)
              .build();
      RequestVoteReplyProto answer = self.getRaftServer().getServerRpc().requestVote(question);
      return answer.getTerm() > term
          || (answer.hasLastEntry()
              && TermIndex.valueOf(answer.getLastEntry()).compareTo(last) > 0);
    } catch (IOException | RuntimeException e) {
      LOG.debug("member {} does not say where its log ends", other, e);
      return false;
    }
  }
}
