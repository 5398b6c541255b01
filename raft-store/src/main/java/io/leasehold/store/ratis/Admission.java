package io.leasehold.store.ratis;

import io.leasehold.store.Member;
import io.leasehold.store.ProposeException;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.guard.Exposure;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.ratis.protocol.RaftGroup;
import org.jspecify.annotations.Nullable;

/** Finds out whether a node can be taken into the group. Safe for many threads. */
final class Admission {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

  /** How long a node may take to find the group that it is to be in. */
  private static final int ASKED_AT_MOST = 50;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final StoreConfig config;
  private final Membership membership;
  private final Function<Member, MemberLink> connect;
  private final Timer timer;

  /**
   * @param connect makes the way to a node that is no member yet
   */
  Admission(
      StoreConfig config,
      Membership membership,
      Function<Member, MemberLink> connect,
      Timer timer) {
    this.config = config;
    this.membership = membership;
    this.connect = connect;
    this.timer = timer;
  }

  /** Completes once that node says that it is who it should be, and keeps this group's log. */
  CompletableFuture<Introduction> of(Member member) {
    if (member.id().equals(config.nodeId())) {
      return CompletableFuture.completedFuture(membership.introduction());
    }
    Optional<String> exposed = Exposure.of(config, member);
    if (exposed.isPresent()) {
      return CompletableFuture.failedFuture(new ProposeException(exposed.get(), true, null));
    }
    MemberLink link = connect.apply(member);
    CompletableFuture<Introduction> introduced = introduction(link, 1);
    // Elsewhere, as closing waits.
    return introduced.whenCompleteAsync((done, failure) -> link.close());
  }

  /** Again, for it may be just about to start, or to find its group. */
  private CompletableFuture<Introduction> introduction(MemberLink link, int times) {
    return link.introduce(ANSWER_LIMIT)
        .handle((answer, failure) -> judge(link.member(), answer))
        .thenCompose(
            judgement -> {
              if (judgement.suits().isPresent()) {
                return CompletableFuture.completedFuture(judgement.suits().get());
              } else if (judgement.isFinal() || times == ASKED_AT_MOST) {
                return CompletableFuture.failedFuture(
                    new ProposeException(judgement.problem(), true, null));
              }
              return later().thenCompose(unused -> introduction(link, times + 1));
            });
  }

  /**
   * What to think of a node.
   *
   * @param suits what it says of itself, if it can be a member
   * @param problem otherwise, with what to do
   * @param isFinal whether that does not pass by itself
   */
  private record Judgement(Optional<Introduction> suits, String problem, boolean isFinal) {

    static Judgement passing(String problem) {
      return new Judgement(Optional.empty(), problem, false);
    }

    static Judgement lasting(String problem) {
      return new Judgement(Optional.empty(), problem, true);
    }
  }

  private Judgement judge(Member member, @Nullable Introduction answer) {
    String id = member.id();
    if (answer == null) {
      return Judgement.passing(
          "%s does not answer at %s: start it there, with an empty folder and with the names of the other members, or correct the address"
              .formatted(id, member.address()));
    }
    Introduction self = membership.introduction();
    PeerIdentity own = PeerIdentity.of(self.peer());
    PeerIdentity other = PeerIdentity.of(answer.peer());
    if (!other.isNear(own) || !other.name().equals(id)) {
      String who = other.isNear(own) ? other.name() : "of another cluster";
      return Judgement.lasting(
          "at %s answers a node %s, not %s: correct the address"
              .formatted(member.address(), who, id));
    }
    if (answer.group().isEmpty()) {
      return Judgement.passing(
          "%s has not found this cluster: start it with the names and addresses of the other members"
              .formatted(id));
    }
    if (!answer
        .group()
        .map(RaftGroup::getGroupId)
        .equals(self.group().map(RaftGroup::getGroupId))) {
      return Judgement.lasting(
          "the folder of %s is of another cluster of this name: empty it and start %s anew"
              .formatted(id, id));
    }
    if (answer.isFormerMemberFor(self)) {
      return Judgement.lasting(
          "%s was taken out of this cluster, and its folder does not know that: empty its folder, start %s anew, and add it then"
              .formatted(id, id));
    }
    return new Judgement(Optional.of(answer), "", true);
  }

  private CompletableFuture<Void> later() {
    CompletableFuture<Void> later = new CompletableFuture<>();
    var unused = timer.schedule(PAUSE, () -> later.complete(null));
    return later;
  }
}
