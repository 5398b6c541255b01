package io.leasehold.store.ratis;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.store.Member;
import io.leasehold.store.ProposeException;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ReconfigurationInProgressException;
import org.apache.ratis.protocol.exceptions.ReconfigurationTimeoutException;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;

/**
 * Takes members into the group and out of it, one at a time, by joint consensus (the Raft paper,
 * section 6): whoever is new catches up before it counts, and until the change is committed a
 * majority of both, the members before and after, decides. Safe for many threads.
 */
final class MembershipChange {

  /** A member that is new may have to be sent all that the others hold. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** How long a leader may take to be there and ready. */
  private static final Duration RETRY_LIMIT = Duration.ofSeconds(10);

  private static final Duration SEEN_LIMIT = Duration.ofSeconds(2);

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

  private final Membership membership;
  private final LocalServer local;
  private final Roster roster;
  private final Operations operations;
  private final Admission admission;
  private final Ticker ticker;
  private final Timer timer;

  /**
   * @param admission looks at who is to be added
   */
  MembershipChange(
      Membership membership,
      LocalServer local,
      Roster roster,
      Operations operations,
      Admission admission,
      Ticker ticker,
      Timer timer) {
    this.membership = membership;
    this.local = local;
    this.roster = roster;
    this.operations = operations;
    this.admission = admission;
    this.ticker = ticker;
    this.timer = timer;
  }

  /** Who is to be in the group. */
  private record Members(List<RaftPeer> voters, List<RaftPeer> listeners) {

    static Members of(RaftConfiguration group) {
      return new Members(
          List.copyOf(group.getCurrentPeers(RaftPeerRole.FOLLOWER)),
          List.copyOf(group.getCurrentPeers(RaftPeerRole.LISTENER)));
    }

    boolean has(RaftPeerId peer, boolean votes) {
      return (votes ? voters : listeners).stream().anyMatch(each -> each.getId().equals(peer));
    }

    boolean has(String name) {
      return Stream.concat(voters.stream(), listeners.stream()).anyMatch(each -> is(each, name));
    }

    Members without(String name) {
      return new Members(
          voters.stream().filter(each -> !is(each, name)).toList(),
          listeners.stream().filter(each -> !is(each, name)).toList());
    }

    Members with(RaftPeer peer, boolean votes) {
      return votes
          ? new Members(with(voters, peer), listeners)
          : new Members(voters, with(listeners, peer));
    }

    private static List<RaftPeer> with(List<RaftPeer> peers, RaftPeer peer) {
      List<RaftPeer> more = new ArrayList<>(peers);
      more.add(peer);
      return List.copyOf(more);
    }

    private static boolean is(RaftPeer peer, String name) {
      return PeerIdentity.nameOf(peer.getId()).equals(name);
    }
  }

  /** See {@link io.leasehold.store.LeaseStore#addMember}. */
  CompletableFuture<Void> add(Member member) {
    return admission
        .of(member)
        .thenCompose(introduced -> requireFormerGone(member, introduced))
        .thenCompose(
            introduced -> {
              boolean votes = !introduced.listener();
              RaftPeer peer =
                  RaftPeer.newBuilder()
                      .setId(introduced.peer())
                      .setAddress(member.address())
                      .setStartupRole(votes ? RaftPeerRole.FOLLOWER : RaftPeerRole.LISTENER)
                      .build();
              if (Members.of(local.division().getRaftConf()).has(peer.getId(), !votes)) {
                throw refused(
                    "%s %s: to make it the other, take it out, empty its folder, and add it anew"
                        .formatted(
                            member.id(),
                            votes ? "is a listener already" : "is a member that votes already"));
              }
              requireSameAddress(member, introduced);
              return change(
                  new Change(
                      members -> members.has(peer.getId(), votes),
                      members -> members.without(member.id()).with(peer, votes)));
            });
  }

  /** Ratis takes a member at another address for the one that it has, and changes nothing. */
  private void requireSameAddress(Member member, Introduction introduced) {
    if (!roster.peer(member.id()).equals(introduced.peer())) {
      return;
    }
    roster.members().stream()
        .filter(each -> each.id().equals(member.id()) && !each.equals(member))
        .findFirst()
        .ifPresent(
            known -> {
              throw refused(
                  "%s is a member already, at %s: to move it to %s, start every node with a list that has it there"
                      .formatted(member.id(), known.address(), member.address()));
            });
  }

  /** Or a name that is given twice by mistake would cost the one that runs its place. */
  private CompletableFuture<Introduction> requireFormerGone(
      Member member, Introduction introduced) {
    RaftPeerId former = roster.peer(member.id());
    Optional<MemberLink> link = roster.link(member.id());
    if (link.isEmpty() || former.equals(introduced.peer())) {
      return CompletableFuture.completedFuture(introduced);
    }
    return link.get()
        .introduce(ANSWER_LIMIT)
        .handle(
            (answer, failure) -> {
              if (answer != null && answer.peer().equals(former)) {
                throw refused(
                    "%s is a member and runs at %s: stop it first, or give the new node a name of its own"
                        .formatted(member.id(), link.get().member().address()));
              }
              return introduced;
            });
  }

  /** See {@link io.leasehold.store.LeaseStore#removeMember}. */
  CompletableFuture<Void> remove(String name) {
    membership.follow(); // to know the ways to all of them
    Members now = Members.of(local.division().getRaftConf());
    if (!now.has(name)) {
      throw new InvalidLeaseArgumentException(
          "member",
          "must be one of the members %s: '%s'"
              .formatted(roster.members().stream().map(Member::id).toList(), name));
    }
    Members after = now.without(name);
    if (after.voters().isEmpty()) {
      throw new InvalidLeaseArgumentException(
          "member", "must not be the last one that votes: '%s'".formatted(name));
    }
    List<String> staying =
        after.voters().stream().map(peer -> PeerIdentity.nameOf(peer.getId())).toList();
    return requireMajority(staying)
        .thenCompose(unused -> ledByAnother(name, staying.iterator()))
        .thenCompose(
            unused ->
                change(
                    new Change(members -> !members.has(name), members -> members.without(name))));
  }

  private static ProposeException refused(String why) {
    return new ProposeException(why, true, null);
  }

  private CompletableFuture<Void> later() {
    CompletableFuture<Void> later = new CompletableFuture<>();
    var unused = timer.schedule(PAUSE, () -> later.complete(null));
    return later;
  }

  /** Or the change could never be finished, and nothing else be done until it is. */
  private CompletableFuture<Void> requireMajority(List<String> voters) {
    AtomicInteger answered = new AtomicInteger();
    List<CompletableFuture<Void>> asked =
        voters.stream()
            .map(
                voter ->
                    CompletableFuture.completedFuture(voter)
                        .thenCompose(operations::requireAnswer)
                        .handle(
                            (unused, failure) -> {
                              if (failure == null) {
                                answered.incrementAndGet();
                              }
                              return (Void) null;
                            }))
            .toList();
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .thenRun(
            () -> {
              if (answered.get() <= voters.size() / 2) {
                throw refused(
                    "without it only %d of the members %s would be there, which is no majority: start or replace the others first"
                        .formatted(answered.get(), voters));
              }
            });
  }

  /** A leader that leaves would let its followers wait for an election timeout. */
  private CompletableFuture<Void> ledByAnother(String name, Iterator<String> candidates) {
    if (!local.leader().equals(Optional.of(name)) || !candidates.hasNext()) {
      return CompletableFuture.completedFuture(null);
    }
    return operations
        .transferLeadership(candidates.next())
        .handle((unused, failure) -> failure)
        .thenCompose(unused -> ledByAnother(name, candidates));
  }

  /**
   * What is to become of the members.
   *
   * @param isDone whether it has
   * @param to who they are to be, from who they are
   */
  private record Change(Predicate<Members> isDone, UnaryOperator<Members> to) {}

  private CompletableFuture<Void> change(Change change) {
    return change(change, ticker.nanos() + RETRY_LIMIT.toNanos())
        .thenCompose(done -> seen(change, ticker.nanos() + SEEN_LIMIT.toNanos()));
  }

  /** Until this node has seen it, too, so that whoever asks next is not told what was before. */
  private CompletableFuture<Void> seen(Change change, long untilNanos) {
    if (change.isDone().test(Members.of(local.division().getRaftConf()))) {
      membership.follow();
      return CompletableFuture.completedFuture(null);
    }
    return ticker.nanos() - untilNanos >= 0
        ? CompletableFuture.completedFuture(null)
        : later().thenCompose(unused -> seen(change, untilNanos));
  }

  /**
   * Again while there is no leader, or one that is new, or another change is under way. A leader
   * only makes a change if the members are still those that it was meant for.
   */
  private CompletableFuture<Void> change(Change change, long untilNanos) {
    RaftConfiguration group = local.division().getRaftConf();
    Members now = Members.of(group);
    boolean isStable =
        group.getPreviousPeers(RaftPeerRole.FOLLOWER).isEmpty()
            && group.getPreviousPeers(RaftPeerRole.LISTENER).isEmpty();
    if (isStable && change.isDone().test(now)) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<RaftClientReply> proposed =
        isStable
            ? propose(now, change.to().apply(now))
            : CompletableFuture.failedFuture(
                refused("another change of the members is under way: try again when it is done"));
    return proposed
        .handle(
            (reply, failure) ->
                failure == null ? Optional.ofNullable(reply.getException()) : Optional.of(failure))
        .thenCompose(
            failure -> {
              if (failure.isEmpty()) {
                return CompletableFuture.completedFuture(null);
              }
              Throwable cause = DiskFailure.innermost(failure.get());
              if (!isPassing(cause) || ticker.nanos() - untilNanos >= 0) {
                return CompletableFuture.failedFuture(notChanged(cause));
              }
              return later().thenCompose(unused -> change(change, untilNanos));
            });
  }

  private static boolean isPassing(Throwable cause) {
    return cause instanceof ProposeException
        || cause instanceof NotLeaderException
        || cause instanceof LeaderNotReadyException
        || cause instanceof LeaderSteppingDownException
        || cause instanceof ReconfigurationInProgressException;
  }

  private static ProposeException notChanged(Throwable cause) {
    if (cause instanceof ProposeException known) {
      return known;
    }
    if (cause instanceof ReconfigurationTimeoutException) {
      return refused(
          "the leader does not reach the new member, which has to run and be reached at the address given: nothing has changed");
    }
    return new ProposeException(
        "the members have not changed, or will only do so shortly: look who they are and try again ("
            + cause.getMessage()
            + ")",
        false,
        cause);
  }

  private CompletableFuture<RaftClientReply> propose(Members now, Members after) {
    Optional<String> leader = local.leader();
    if (leader.isEmpty()) {
      return CompletableFuture.failedFuture(
          refused("no leader is known: see that a majority of the members runs"));
    }
    RaftServer.Division self = local.division();
    SetConfigurationRequest request =
        new SetConfigurationRequest(
            ClientId.randomId(),
            roster.peer(leader.get()),
            self.getMemberId().getGroupId(),
            0,
            SetConfigurationRequest.Arguments.newBuilder()
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .setServersInCurrentConf(now.voters())
                .setListenersInCurrentConf(now.listeners())
                .setServersInNewConf(after.voters())
                .setListenersInNewConf(after.listeners())
                .build());
    return roster
        .link(leader.get())
        .map(link -> link.askToConfigure(request, LIMIT))
        .orElseGet(() -> here(self.getRaftServer(), request));
  }

  private static CompletableFuture<RaftClientReply> here(
      RaftServer server, SetConfigurationRequest request) {
    try {
      return server.setConfigurationAsync(request);
    } catch (IOException | RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
