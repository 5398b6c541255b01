package io.leasehold.store;

import static io.leasehold.store.StoreCluster.LIMIT;
import static io.leasehold.store.StoreCluster.acquire;
import static io.leasehold.store.StoreCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Subscription;
import io.leasehold.store.StoreCluster.Client;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A follower hears what concerns a session of its own long before the next heartbeat. */
final class CommitNewsIT {

  private static final Duration TTL = Duration.ofMinutes(5);
  private static final int HAND_OVERS = 10;

  /** Heartbeats come every two seconds then, and so would each piece of news. */
  private static final Duration ELECTION_MIN = Duration.ofSeconds(4);

  @TempDir Path root;

  @Test
  void waiterOnAFollowerHearsAtOnceThatItsTurnHasCome() throws Exception {
    try (StoreCluster cluster =
        StoreCluster.start(
            root,
            config ->
                config
                    .withElectionTimeout(ELECTION_MIN, ELECTION_MIN.multipliedBy(2))
                    .withCloseTimeout(Duration.ZERO))) {
      StoreNode leader = cluster.leader();
      List<StoreNode> followers =
          cluster.nodes().stream().filter(node -> !node.equals(leader)).toList();
      Client holder = new Client(1);
      Client waiter = new Client(2);
      holder.open(leader, TTL);
      waiter.open(leader, TTL);

      long start = System.nanoTime();
      for (int i = 0; i < HAND_OVERS; i++) {
        handOver("turn-" + i, leader, holder, waiter, followers.get(i % followers.size()));
      }

      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isLessThan(ELECTION_MIN.dividedBy(2).multipliedBy(HAND_OVERS / 2));
    }
  }

  /** Has a lease handed over, and waits until the follower has told it. */
  private static void handOver(
      String name, StoreNode leader, Client holder, Client waiter, StoreNode follower)
      throws Exception {
    BatchReply granted = holder.call(leader, acquire(name, TTL, 1));
    long token = ((Reply.Granted) granted.replies().get(0)).token();
    waiter.call(leader, new Command.Acquire(name, "waiter", TTL.toNanos(), 1, true, false));
    CompletableFuture<Void> heard = new CompletableFuture<>();
    Subscription watching = follower.watch(new Hearing(name, heard));
    holder.call(leader, new Command.Release(name, token));
    get(heard, LIMIT);
    watching.close();
  }

  /** Waits for the waiter's grant. */
  private record Hearing(String name, CompletableFuture<Void> heard) implements LeaseStore.Watcher {

    @Override
    public void applied(long index, List<Event> events) {
      for (Event event : events) {
        if (event instanceof Event.Granted granted
            && granted.name().equals(name)
            && granted.holder().owner().equals("waiter")) {
          heard.complete(null);
        }
      }
    }

    @Override
    public void replaced(long index) {}
  }
}
