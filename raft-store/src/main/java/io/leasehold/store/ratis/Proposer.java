package io.leasehold.store.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.store.ProposeException;
import io.leasehold.store.codec.BatchCodec;
import io.leasehold.store.codec.MalformedReplyException;
import io.leasehold.store.codec.ReplyCodec;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Makes single attempts to have a batch committed: by this node's own server if it leads, else by
 * sending it to the member that does. Safe for many threads.
 *
 * <p>A member that is asked only because the leader is unknown or silent is first asked whether it
 * leads: it can say no to a question and nothing has happened, while a no to a batch may also come
 * from a leader that has appended it and been deposed since.
 */
final class Proposer {

  private final String node;
  private final Supplier<RaftGroupId> group;
  private final RaftClientAsynchronousProtocol server;
  private final Supplier<Optional<String>> knownLeader;
  private final Roster roster;
  private final BatchCodec batches;
  private final ReplyCodec replies = new ReplyCodec();
  private final ClientId clientId = ClientId.randomId();
  private final AtomicLong callIds = new AtomicLong();
  private final Object lock = new Object();

  /** Which attempts there have been at the batch under way; a node has one at a time. */
  @GuardedBy("lock")
  private Optional<Batch.Origin> attempted = Optional.empty();

  @GuardedBy("lock")
  private final Set<String> tried = new HashSet<>();

  /** What a member has said of who leads, while this node's own server does not know. */
  @GuardedBy("lock")
  private Optional<String> suggestedLeader = Optional.empty();

  /**
   * @param node this node
   * @param group whose log batches go to, once there is one
   * @param server its own server, for requests to this node
   * @param knownLeader whom that server follows
   * @param roster with the ways to all other members
   */
  Proposer(
      String node,
      Supplier<RaftGroupId> group,
      RaftClientAsynchronousProtocol server,
      Supplier<Optional<String>> knownLeader,
      Roster roster,
      BatchCodec batches) {
    this.node = node;
    this.group = group;
    this.server = server;
    this.knownLeader = knownLeader;
    this.roster = roster;
    this.batches = batches;
  }

  /** Makes one attempt; see {@link io.leasehold.store.LeaseStore#propose}. */
  CompletableFuture<BatchReply> propose(Batch batch, int attempt) {
    Target target;
    synchronized (lock) {
      target = choose(batch, attempt);
    }
    if (target.member().isEmpty()) {
      return CompletableFuture.failedFuture(
          new ProposeException("no leader is known: try again shortly", true, null));
    }
    String member = target.member().get();
    if (member.equals(node)) {
      return proposeHere(batch);
    }
    return target.believedLeader()
        ? send(batch, member)
        : ask(member).thenCompose(unused -> send(batch, member));
  }

  /** Makes one attempt by this node's own server. */
  CompletableFuture<BatchReply> proposeHere(Batch batch) {
    ProposedMessage message = new ProposedMessage(batch, encode(batch));
    CompletableFuture<RaftClientReply> reply;
    try {
      reply = server.submitClientRequestAsync(request(node, message, false));
    } catch (IOException | RuntimeException e) {
      reply = CompletableFuture.failedFuture(e);
    }
    return reply.handle(
        (answer, failure) -> {
          if (failure != null) {
            throw exception(unwrap(failure), message.mayBeInLog());
          }
          return result(answer, message.mayBeInLog());
        });
  }

  /**
   * This node's own server knows more about the leader now: what others have said is forgotten, and
   * attempts that wait for a member which does not lead any more fail.
   */
  void leaderChanged(Optional<String> leader) {
    synchronized (lock) {
      suggestedLeader = Optional.empty();
      tried.clear();
    }
    leader.ifPresent(
        id ->
            roster
                .links()
                .forEach(
                    (member, link) -> {
                      if (!member.equals(id)) {
                        link.abandon();
                      }
                    }));
  }

  private record Target(Optional<String> member, boolean believedLeader) {}

  @GuardedBy("lock")
  private Target choose(Batch batch, int attempt) {
    if (attempt == 0 || !batch.origin().equals(attempted)) {
      attempted = batch.origin();
      tried.clear();
    }
    Optional<String> known = knownLeader.get();
    Optional<String> leader = known.isPresent() ? known : suggestedLeader;
    if (leader.isPresent() && tried.add(leader.get())) {
      return new Target(leader, true);
    }
    if (attempt > 0) {
      for (String other : roster.others()) {
        if (tried.add(other)) {
          return new Target(Optional.of(other), false);
        }
      }
      tried.clear();
    }
    return new Target(leader, true);
  }

  /** Completes when a member has answered, whatever it said; may stay open for ever. */
  CompletableFuture<Void> reach(String member) {
    return link(member)
        .send(request(member, Message.EMPTY, true))
        .handle(
            (answer, failure) -> {
              if (failure != null) {
                throw unanswered(member, failure);
              }
              return null;
            });
  }

  private static ProposeException unanswered(String member, Throwable failure) {
    return new ProposeException(
        "member %s does not answer (%s): see that it and a majority of the members run and reach each other"
            .formatted(member, unwrap(failure).getMessage()),
        true,
        failure);
  }

  /** Completes if a member leads and is ready to; fails otherwise, certainly without effect. */
  private CompletableFuture<Void> ask(String member) {
    return link(member)
        .send(request(member, Message.EMPTY, true))
        .handle(
            (answer, failure) -> {
              if (failure != null) {
                throw unanswered(member, failure);
              }
              if (!answer.isSuccess()) {
                throw refusal(answer, false);
              }
              return null;
            });
  }

  private CompletableFuture<BatchReply> send(Batch batch, String member) {
    Message message = Message.valueOf(encode(batch));
    return link(member)
        .send(request(member, message, false))
        .handle(
            (answer, failure) -> {
              if (failure == null) {
                return result(answer, true);
              }
              Throwable cause = unwrap(failure);
              boolean neverSent =
                  cause instanceof MemberLink.LinkException link && link.neverSent();
              throw exception(cause, !neverSent);
            });
  }

  private MemberLink link(String member) {
    return roster
        .link(member)
        .orElseThrow(
            () ->
                new ProposeException(
                    "member " + member + " is not known to this node yet: try again shortly",
                    true,
                    null));
  }

  private ByteString encode(Batch batch) {
    return UnsafeByteOperations.unsafeWrap(batches.encode(batch));
  }

  private RaftClientRequest request(String member, Message message, boolean question) {
    long callId = callIds.incrementAndGet();
    return RaftClientRequest.newBuilder()
        .setClientId(clientId)
        .setServerId(roster.peer(member))
        .setGroupId(group.get())
        .setCallId(callId)
        .setMessage(message)
        .setType(
            question
                ? RaftClientRequest.readRequestType(true)
                : RaftClientRequest.writeRequestType())
        .build();
  }

  private BatchReply result(RaftClientReply answer, boolean mayBeInLog) {
    if (!answer.isSuccess()) {
      throw refusal(answer, mayBeInLog);
    }
    if (answer.getMessage() instanceof ReplyMessage message) {
      return message.reply();
    }
    try {
      return replies.decode(answer.getMessage().getContent().asReadOnlyByteBuffer());
    } catch (MalformedReplyException e) {
      throw new ProposeException("the reply cannot be read: " + e.getMessage(), false, e);
    }
  }

  private ProposeException refusal(RaftClientReply answer, boolean mayBeInLog) {
    NotLeaderException notLeader = answer.getNotLeaderException();
    if (notLeader != null) {
      RaftPeer suggested = notLeader.getSuggestedLeader();
      synchronized (lock) {
        suggestedLeader =
            Optional.ofNullable(suggested).map(RaftPeer::getId).map(PeerIdentity::nameOf);
      }
    }
    Throwable cause = answer.getException();
    return exception(
        cause == null ? new IllegalStateException("a failure without a reason") : cause,
        mayBeInLog);
  }

  private static ProposeException exception(Throwable cause, boolean mayBeInLog) {
    Refusal refusal = Refusal.of(cause);
    return new ProposeException(refusal.sentence(), refusal.beforeLog() || !mayBeInLog, cause);
  }

  private static Throwable unwrap(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof java.util.concurrent.CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
