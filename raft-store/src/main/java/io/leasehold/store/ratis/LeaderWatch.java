package io.leasehold.store.ratis;

import io.leasehold.store.Member;
import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * On a follower, notices at once that the leader's process has ended: its connection breaks and its
 * port refuses another one. Then this member need not wait for an election timeout, which has to be
 * long enough for a leader that is merely slow, before it stands for election. Confined to the
 * node's timer.
 *
 * <p>An election that is not needed costs a moment without a leader, nothing else: Raft is safe
 * whoever stands and whenever. One that is lost costs an election timeout, as all others have moved
 * to its term. So the followers take turns; whoever would not get the votes, as the others have
 * newer logs, does not stand; and who has much to apply comes last, for a leader serves nobody
 * before it has applied its log. Each does this once in ten seconds at most, so that members which
 * cannot reach each other do not depose one leader after the other.
 */
final class LeaderWatch {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderWatch.class);

  static final Duration PAUSE = Duration.ofSeconds(10);

  /** How much later the second follower stands than the first: an election takes less. */
  static final Duration TURN = Duration.ofMillis(120);

  /** A process that is killed may close its connections a moment before its port. */
  static final Duration SOON = Duration.ofMillis(20);

  /** How often a leader is looked at that is there, but to which there is no connection. */
  static final Duration AGAIN = Duration.ofMillis(200);

  /** Who has more than this to apply, after a start for instance, lets the others go first. */
  static final long ENTRIES_BEHIND_MAX = 256;

  private final String node;
  private final Supplier<List<Member>> voters;
  private final Server server;
  private final Network network;
  private final Timer timer;
  private final Ticker ticker;

  private Optional<String> watched = Optional.empty();
  private long stoodNanos;

  /** Which look at the leader is the current one: an older one is given up. */
  private long looking;

  /**
   * @param node this node
   * @param voters the members that elect a leader; it stands only if it is one of them itself
   */
  LeaderWatch(
      String node,
      Supplier<List<Member>> voters,
      Server server,
      Network network,
      Timer timer,
      Ticker ticker) {
    this.node = node;
    this.voters = voters;
    this.server = server;
    this.network = network;
    this.timer = timer;
    this.ticker = ticker;
    this.stoodNanos = ticker.nanos() - PAUSE.toNanos();
  }

  /** What it needs of this member's server. */
  interface Server {

    long term();

    /** Whom this server follows. */
    Optional<String> leader();

    /** How many entries of its log it has not applied. */
    long entriesToApply();

    /**
     * Asks the other followers, by their ids, whether an election would be lost against the logs
     * that they have; those that do not answer within a moment count as votes. On any thread.
     */
    CompletableFuture<Boolean> wouldLose(List<String> others);

    /** Stands for election at once, unless it does not follow this leader any more. */
    void stand(String goneLeader);
  }

  /** What it needs of the ways to other members. */
  interface Network {

    /** Connects, and runs a task once, on any thread, as soon as the connection breaks. */
    void onBroken(Member member, Runnable task);

    boolean isConnected(Member member);

    /** Completes with whether a member's host says that nobody listens on its port. */
    CompletableFuture<Boolean> refuses(Member member);
  }

  /** Another leader is known, or none. */
  void leaderChanged(Optional<String> leader) {
    watched = leader;
    looking++;
    List<Member> members = voters.get();
    if (members.stream().anyMatch(member -> member.id().equals(node))) {
      members.stream()
          .filter(member -> leader.equals(Optional.of(member.id())))
          .filter(member -> !member.id().equals(node))
          .forEach(this::watch);
    }
  }

  private void watch(Member leader) {
    network.onBroken(leader, () -> later(Duration.ZERO, () -> broken(leader)));
  }

  private void broken(Member leader) {
    if (follows(leader)) {
      watch(leader); // it may only have been cut off, or be connected to anew
      looking++;
      look(leader, looking, SOON);
    }
  }

  /** Until it is gone or connected to again; if its connection breaks meanwhile, from the start. */
  private void look(Member leader, long mine, Duration pause) {
    if (follows(leader) && mine == looking) {
      var unused =
          network
              .refuses(leader)
              .thenAccept(gone -> later(Duration.ZERO, () -> seen(leader, mine, pause, gone)));
    }
  }

  private void seen(Member leader, long mine, Duration pause, boolean gone) {
    if (!follows(leader) || mine != looking) {
      return;
    }
    if (gone && ticker.nanos() - stoodNanos >= PAUSE.toNanos()) {
      ended(leader);
    } else if (gone || !network.isConnected(leader)) {
      later(pause, () -> look(leader, mine, AGAIN));
    }
  }

  private void ended(Member leader) {
    LOG.info("node {}: the process of leader {} has ended", node, leader.id());
    List<String> followers = followersOf(leader);
    long term = server.term();
    ifStillWithout(
        leader, term, followers.indexOf(node), () -> turn(leader, term, followers, true));
  }

  private void turn(Member leader, long term, List<String> followers, boolean once) {
    List<String> others = followers.stream().filter(id -> !id.equals(node)).toList();
    var unused =
        server
            .wouldLose(others)
            .thenAccept(
                loses ->
                    later(
                        Duration.ZERO,
                        () -> {
                          if (!loses) {
                            stand(leader, term, followers.size());
                          } else if (once) {
                            // Whoever has the newer log has stood by then, or cannot.
                            ifStillWithout(
                                leader,
                                term,
                                followers.size(),
                                () -> turn(leader, term, followers, false));
                          }
                        }));
  }

  private void stand(Member leader, long term, int turns) {
    boolean behind = server.entriesToApply() > ENTRIES_BEHIND_MAX;
    ifStillWithout(
        leader,
        term,
        behind ? turns : 0,
        () -> {
          stoodNanos = ticker.nanos();
          server.stand(leader.id());
        });
  }

  /** Does so after some turns, unless there has been an election by then. */
  private void ifStillWithout(Member leader, long term, int turns, Runnable task) {
    later(
        TURN.multipliedBy(turns),
        () -> {
          if (follows(leader) && server.term() == term) {
            task.run();
          }
        });
  }

  private void later(Duration delay, Runnable task) {
    var unused = timer.schedule(delay, task);
  }

  private boolean follows(Member leader) {
    Optional<String> id = Optional.of(leader.id());
    return watched.equals(id) && server.leader().equals(id);
  }

  /** All followers, in the order of their turns. */
  private List<String> followersOf(Member leader) {
    return voters.get().stream()
        .map(Member::id)
        .filter(id -> !id.equals(leader.id()))
        .sorted()
        .toList();
  }
}
