package io.leasehold.store;

import static io.leasehold.store.StoreCluster.LIMIT;
import static io.leasehold.store.StoreCluster.acquire;
import static io.leasehold.store.StoreCluster.get;
import static io.leasehold.store.StoreCluster.propose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.Subscription;
import io.leasehold.store.StoreCluster.Client;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Event;
import io.leasehold.store.core.Reply;
import io.leasehold.store.core.SessionId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one cluster of real nodes does while all of them run. */
final class StoreNodeIT {

  private static final Duration TTL = Duration.ofMinutes(5);

  @TempDir static Path root;
  private static StoreCluster cluster;

  @BeforeAll
  static void start() {
    cluster = StoreCluster.start(root, config -> config.withReadTimeout(Duration.ofMillis(500)));
    cluster.leader();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void aBatchIsAppliedWhicheverNodeIsAsked() throws Exception {
    for (StoreNode node : cluster.nodes()) {
      String name = "asked-of-" + node.node();
      Client client = new Client(name.hashCode());

      assertThat(client.open(node, TTL).status()).isEqualTo(BatchReply.Status.APPLIED);
      BatchReply reply = client.call(node, acquire(name, TTL, 1));

      assertThat(reply.replies()).singleElement().isInstanceOf(Reply.Granted.class);
      LeaseStore.Reading reading = get(node.readAt(reply.index()), LIMIT);
      assertThat(reading.find(name).index()).isEqualTo(reply.index());
      assertThat(reading.find(name).leases()).hasSize(1);
      assertThat(reading.all().leases()).extracting(each -> each.lease().name()).contains(name);
    }
  }

  @Test
  void tokensStartAboveTheSecondOfTheCluster() {
    Client client = new Client(2);
    client.open(cluster.leader(), TTL);

    BatchReply reply = client.call(cluster.leader(), acquire("token", TTL, 1));

    long token = ((Reply.Granted) reply.replies().get(0)).token();
    assertThat(token >>> 20).isBetween(1_600_000_000L, 1L << 33);
  }

  @Test
  void theSameBatchThroughEveryMemberIsAppliedOnce() throws Exception {
    Client client = new Client(3);
    client.open(cluster.leader(), TTL);
    Batch batch = client.batch(acquire("once", TTL, 1));

    BatchReply first = propose(cluster.leader(), batch);

    for (StoreNode node : cluster.nodes()) {
      assertThat(propose(node, batch)).isEqualTo(first);
    }
  }

  @Test
  void everyNodeTellsTheSameEventsInTheSameOrder() {
    cluster.nodes().forEach(node -> cluster.awaitSameIndex(node, cluster.leader()));
    List<List<Event>> heard =
        List.of(
            new CopyOnWriteArrayList<>(),
            new CopyOnWriteArrayList<>(),
            new CopyOnWriteArrayList<>());
    List<Subscription> subscriptions = new ArrayList<>();
    Client client = new Client(4);
    for (int i = 0; i < heard.size(); i++) {
      subscriptions.add(cluster.nodes().get(i).watch(new Collecting(client.id(), heard.get(i))));
    }

    client.open(cluster.leader(), TTL);
    BatchReply granted = client.call(cluster.follower(), acquire("watched", TTL, 1));
    long token = ((Reply.Granted) granted.replies().get(0)).token();
    client.call(cluster.leader(), new Command.Release("watched", token));

    await("all nodes have told the release")
        .atMost(LIMIT)
        .until(
            () ->
                heard.stream()
                    .allMatch(
                        events -> events.stream().anyMatch(Event.Released.class::isInstance)));
    assertThat(heard.get(1)).isEqualTo(heard.get(0));
    assertThat(heard.get(2)).isEqualTo(heard.get(0));
    subscriptions.forEach(Subscription::close);
  }

  @Test
  void aLeaseExpiresWhenDueAndNotBefore() {
    Duration ttl = Duration.ofMillis(400);
    Client client = new Client(5);
    client.open(cluster.leader(), TTL);
    client.call(cluster.leader(), acquire("short", ttl, 1));
    long grantedAt = cluster.leader().status().leaseTimeNanos();

    await("the lease is free")
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> find("short").isEmpty());

    // The expiry was stamped by the leader when it was due; 200 ms are for a busy machine.
    long expiredAt = cluster.leader().status().leaseTimeNanos();
    assertThat(Duration.ofNanos(expiredAt - grantedAt)).isBetween(ttl, ttl.plusMillis(2_000));
  }

  @Test
  void nothingIsWrittenWhileNothingIsDue() {
    Client client = new Client(6);
    client.open(cluster.leader(), TTL);
    client.call(cluster.leader(), acquire("held", TTL, 1));
    long before = cluster.leader().status().appliedIndex();
    long leaseTime = cluster.leader().status().leaseTimeNanos();

    // A renewal after a while is the first entry since.
    await("half a second of lease time has passed")
        .pollDelay(Duration.ofMillis(500))
        .atMost(LIMIT)
        .until(() -> true);
    BatchReply reply = client.call(cluster.leader());

    assertThat(reply.index()).isEqualTo(before + 1);
    assertThat(cluster.leader().status().leaseTimeNanos()).isGreaterThan(leaseTime);
  }

  @Test
  void aSessionThatHoldsNothingEndsAfterItsTtl() {
    Client client = new Client(7);
    List<Event> heard = new CopyOnWriteArrayList<>();
    Subscription subscription = cluster.leader().watch(new Collecting(client.id(), heard));
    client.open(cluster.leader(), Duration.ofMillis(300));

    await("the session has ended")
        .atMost(LIMIT)
        .until(() -> heard.stream().anyMatch(Event.SessionEnded.class::isInstance));

    assertThat(client.call(cluster.leader()).status()).isEqualTo(BatchReply.Status.SESSION_UNKNOWN);
    subscription.close();
  }

  @Test
  void aReadOfTheFutureFailsAfterItsLimit() {
    StoreNode node = cluster.leader();

    assertThatThrownBy(() -> get(node.readAt(Long.MAX_VALUE), LIMIT))
        .cause()
        .isInstanceOf(ProposeException.class)
        .hasMessageContaining("has not caught up");
  }

  @Test
  void aBatchOverTheLimitIsRefusedBeforeTheLog() {
    Client client = new Client(8);
    client.open(cluster.leader(), TTL);
    Command[] tooMany = new Command[2_001];
    Arrays.fill(tooMany, new Command.Reconcile());
    Batch batch = client.batch(tooMany);
    long before = cluster.leader().status().appliedIndex();

    assertThatThrownBy(() -> get(cluster.follower().propose(batch, 0), LIMIT))
        .cause()
        .isInstanceOfSatisfying(
            ProposeException.class, e -> assertThat(e.certainlyNotApplied()).isTrue());

    assertThat(cluster.leader().status().appliedIndex()).isEqualTo(before);
  }

  @Test
  void statusNamesTheLeaderOnEveryNode() {
    String leader = cluster.leader().node();

    for (StoreNode node : cluster.nodes()) {
      StoreStatus status = node.status();
      assertThat(status.node()).isEqualTo(node.node());
      assertThat(status.leader()).contains(leader);
      assertThat(status.role())
          .isEqualTo(
              node.node().equals(leader) ? StoreStatus.Role.LEADER : StoreStatus.Role.FOLLOWER);
      assertThat(status.failure()).isEmpty();
      assertThat(status.members()).isEqualTo(cluster.members());
    }
  }

  @Test
  void leadershipIsHandedOverWhicheverMemberIsAsked() throws Exception {
    for (StoreNode asked : cluster.nodes()) {
      String heir = cluster.follower().node();

      assertThat(get(asked.transferLeadership(heir), LIMIT)).isTrue();

      assertThat(cluster.leader().node()).isEqualTo(heir);
      assertThat(get(asked.transferLeadership(heir), LIMIT)).as("once more").isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "n4", "N1"})
  void leadershipForAStrangerIsRefused(String stranger) {
    assertThatThrownBy(() -> cluster.follower().transferLeadership(stranger))
        .isInstanceOf(InvalidLeaseArgumentException.class)
        .hasMessage("to must be one of the members [n1, n2, n3]: '" + stranger + "'");
  }

  @Test
  void aSnapshotIsTakenOnRequestAndSaysItsIndex() throws Exception {
    Client client = new Client(9);
    client.open(cluster.leader(), TTL);
    long index = client.call(cluster.leader(), acquire("in-a-snapshot", TTL, 1)).index();
    for (StoreNode node : cluster.nodes()) {
      get(node.readAt(index), LIMIT);

      long taken = get(node.snapshot(), LIMIT);

      assertThat(taken).isGreaterThanOrEqualTo(index);
      try (Stream<Path> files = Files.walk(cluster.folder(node.node()))) {
        assertThat(files).anyMatch(file -> file.toString().endsWith("_" + taken));
      }
      assertThat(get(node.snapshot(), LIMIT)).as("once more").isGreaterThanOrEqualTo(taken);
    }
  }

  @Test
  void everyNodeMeasuresItself() throws Exception {
    Client client = new Client(11);
    client.open(cluster.leader(), TTL);
    long index = client.call(cluster.leader(), acquire("measured", TTL, 1)).index();
    for (StoreNode node : cluster.nodes()) {
      get(node.readAt(index), LIMIT);
      get(node.snapshot(), LIMIT);

      StoreFigures figures = node.figures();
      assertThat(figures.leases()).isPositive();
      assertThat(figures.sessions()).isPositive();
      assertThat(figures.snapshots()).isPositive();
      assertThat(figures.snapshotsTook()).isPositive();
      assertThat(figures.snapshotAge()).isLessThan(LIMIT);
      assertThat(figures.entriesBehind()).isLessThan(100);
      StoreFigures.DiskUse disk =
          await("its disk has been looked at")
              .atMost(LIMIT)
              .until(
                  () -> node.figures().disk(),
                  use -> !StoreFigures.DiskUse.NOT_MEASURED.equals(use));
      assertThat(disk.log()).isPositive();
      assertThat(disk.table()).isPositive();
      assertThat(disk.snapshots()).isPositive();
      assertThat(disk.free()).isPositive();
    }
  }

  private static Optional<LeaseReading> find(String name) {
    try {
      StoreNode leader = cluster.leader();
      return get(leader.readAt(leader.status().appliedIndex()), LIMIT).find(name).leases().stream()
          .findFirst();
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Keeps one session's events: a follower may still be applying what an earlier test did. */
  private record Collecting(SessionId session, List<Event> events) implements LeaseStore.Watcher {
    @Override
    public void applied(long index, List<Event> news) {
      news.stream().filter(event -> event.holder().session().equals(session)).forEach(events::add);
    }

    @Override
    public void replaced(long index) {
      throw new AssertionError("no snapshot was to be installed");
    }
  }
}
