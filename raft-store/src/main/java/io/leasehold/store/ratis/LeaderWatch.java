package io.leasehold.store.ratis;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.time.Ticker;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * On a follower, notices at once that the leader's process has ended: its connection breaks and its
 * port refuses another one. Then this member need not wait for an election timeout, which has to be
 * long enough for a leader that is merely slow, before it stands for election. Confined to the
 * node's timer.
 *
 * <p>An election that is not needed costs a moment without a leader, nothing else: Raft is safe
 * whoever stands and whenever. The followers take turns, so that they do not split the votes; those
 * that have much to apply come last, for a leader serves nobody before it has applied its log. Each
 * does this once in ten seconds at most, so that members which cannot reach each other do not
 * depose one leader after the other.
 */
final class LeaderWatch {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderWatch.class);

  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final int CONNECT_LIMIT_MILLIS = 100;

  /** How much later the second follower stands than the first: an election takes less. */
  private static final Duration TURN = Duration.ofMillis(120);

  /** Who has more than this to apply, after a start for instance, lets the others go first. */
  private static final long ENTRIES_BEHIND_MAX = 256;

  private final StoreConfig config;
  private final LocalServer server;
  private final Map<String, MemberLink> links;
  private final NodeTimer timer;
  private final Ticker ticker;

  private Optional<String> watched = Optional.empty();
  private long stoodNanos;

  LeaderWatch(
      StoreConfig config,
      LocalServer server,
      Map<String, MemberLink> links,
      NodeTimer timer,
      Ticker ticker) {
    this.config = config;
    this.server = server;
    this.links = Map.copyOf(links);
    this.timer = timer;
    this.ticker = ticker;
    this.stoodNanos = ticker.nanos() - PAUSE.toNanos();
  }

  /** Another leader is known, or none. */
  void leaderChanged(Optional<String> leader) {
    watched = leader;
    MemberLink link = leader.map(links::get).orElse(null);
    if (link != null) {
      link.onBroken(() -> timer.execute(() -> broken(link.member())));
    }
  }

  private void broken(Member leader) {
    if (!follows(leader) || ticker.nanos() - stoodNanos < PAUSE.toNanos() || !refuses(leader)) {
      return;
    }
    stoodNanos = ticker.nanos();
    long term = server.term();
    List<String> followers = followersOf(leader);
    LOG.info("node {}: the process of leader {} has ended", config.nodeId(), leader.id());
    int order = followers.indexOf(config.nodeId());
    later(order, leader, term, () -> stand(leader, term, followers.size()));
  }

  private void stand(Member leader, long term, int turns) {
    if (server.entriesToApply() > ENTRIES_BEHIND_MAX) {
      later(turns, leader, term, () -> server.stand(leader.id()));
    } else {
      server.stand(leader.id());
    }
  }

  /** Does so after some turns, unless there has been an election by then. */
  private void later(int turns, Member leader, long term, Runnable task) {
    var unused =
        timer.schedule(
            TURN.multipliedBy(turns),
            () -> {
              if (follows(leader) && server.term() == term) {
                task.run();
              }
            });
  }

  private boolean follows(Member leader) {
    Optional<String> id = Optional.of(leader.id());
    return watched.equals(id) && server.leader().equals(id);
  }

  /** All followers, in the order of their turns. */
  private List<String> followersOf(Member leader) {
    return config.members().stream()
        .map(Member::id)
        .filter(id -> !id.equals(leader.id()))
        .sorted()
        .toList();
  }

  /** Only a host that is there refuses; one that is gone or cut off does not answer. */
  private static boolean refuses(Member member) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(member.host(), member.port()), CONNECT_LIMIT_MILLIS);
      return false;
    } catch (ConnectException e) {
      return String.valueOf(e.getMessage()).contains("refused");
    } catch (IOException e) {
      return false;
    }
  }
}
