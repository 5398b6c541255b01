package io.leasehold.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import io.leasehold.memory.InMemoryCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.singleton.ClusterSingletonManager;
import org.apache.pekko.cluster.singleton.ClusterSingletonManagerSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Pekko's users of leases on a cluster of two nodes: a singleton, and shards. The cases are those
 * of {@code ClusterSingletonLeaseSpec} and {@code ShardWithLeaseSpec} of Pekko 1.7.0, written anew.
 * Pekko would ask for a refused lease again after two minutes, and a lease that nobody releases
 * runs out after two: both are longer than any wait here.
 */
final class PekkoClusterIT {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final String SINGLETON = "shop-singleton-pekko://shop/user/orders";
  private static final String CONFIG =
      """
      pekko.loglevel = ERROR
      pekko.actor.provider = cluster
      pekko.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
      pekko.cluster {
        jmx.enabled = off
        gossip-interval = 100ms
        leader-actions-interval = 100ms
        periodic-tasks-initial-delay = 100ms
        failure-detector { heartbeat-interval = 200ms, acceptable-heartbeat-pause = 2s }
        singleton { use-lease = "leasehold.pekko", lease-retry-interval = 2m }
        sharding { use-lease = "leasehold.pekko", lease-retry-interval = 2m, retry-interval = 200ms }
      }
      leasehold.pekko { heartbeat-timeout = 2m, heartbeat-interval = 10s }
      """;

  private final InMemoryCluster leases = InMemoryCluster.inRealTime();
  private final List<PekkoNode> nodes = new ArrayList<>();
  private final List<String> story = new CopyOnWriteArrayList<>();

  @AfterEach
  void end() {
    nodes.forEach(PekkoNode::close);
    leases.close();
  }

  /** Starts a node, and has it join the first one. */
  private PekkoNode join(String name, String config) {
    PekkoNode node = PekkoNode.start(leases.node(name), CONFIG + config);
    nodes.add(node);
    Cluster cluster = Cluster.get(node.system());
    cluster.join(Cluster.get(nodes.get(0).system()).selfAddress());
    await(name + " is up")
        .atMost(LIMIT)
        .until(() -> cluster.selfMember().status().equals(MemberStatus.up()));
    return node;
  }

  /** An actor that writes down its life. */
  private static final class Chronicler extends AbstractActor {

    private final String name;
    private final List<String> story;

    Chronicler(String name, List<String> story) {
      this.name = name;
      this.story = story;
    }

    static Props props(String name, List<String> story) {
      return Props.create(Chronicler.class, () -> new Chronicler(name, story));
    }

    @Override
    public void preStart() {
      story.add(name + " started");
    }

    @Override
    public void postStop() {
      story.add(name + " stopped");
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> story.add(name + " got " + message)).build();
    }
  }

  private void startSingleton(PekkoNode node, String name) {
    ActorRef unusedManager =
        node.system()
            .actorOf(
                ClusterSingletonManager.props(
                    Chronicler.props(name, story),
                    PoisonPill.getInstance(),
                    ClusterSingletonManagerSettings.create(node.system())),
                "orders");
  }

  private void awaitStory(String... events) {
    await("the story").atMost(LIMIT).untilAsserted(() -> assertThat(story).containsExactly(events));
  }

  private Optional<LeaseStatus> stored(String name) {
    return leases
        .node("observer")
        .inspector()
        .find(name)
        .toCompletableFuture()
        .orTimeout(10, TimeUnit.SECONDS)
        .join();
  }

  private static String address(PekkoNode node) {
    return Cluster.get(node.system()).selfAddress().hostPort();
  }

  @Test
  void singletonStopsWhenItsLeaseIsRevokedAndComesBack() {
    PekkoNode node = join("n1", "");
    startSingleton(node, "n1");
    awaitStory("n1 started");
    LeaseStatus first = stored(SINGLETON).orElseThrow();

    assertThat(leases.node("observer").inspector().revoke(SINGLETON, first.fencingToken(), "test"))
        .succeedsWithin(LIMIT);

    awaitStory("n1 started", "n1 stopped", "n1 started");
    LeaseStatus second = stored(SINGLETON).orElseThrow();
    assertThat(second.owner()).isEqualTo(address(node)).isEqualTo(first.owner());
    assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
    // How the singleton itself gets its token: another handle for the same name and owner.
    LeaseSettings same = LeaseSettings.of(SINGLETON, address(node), Duration.ofMinutes(2));
    assertThat(leases.node("n1").lease(same).fencingToken()).hasValue(second.fencingToken());
  }

  /** CASES.md, 79. */
  @Test
  void singletonIsHandedOverLongBeforeItsLeaseWouldRunOut() {
    PekkoNode first = join("n1", "");
    startSingleton(first, "n1");
    PekkoNode second = join("n2", "");
    startSingleton(second, "n2");
    awaitStory("n1 started");

    assertThat(first.shutDown()).succeedsWithin(LIMIT);

    awaitStory("n1 started", "n1 stopped", "n2 started");
    assertThat(stored(SINGLETON)).map(LeaseStatus::owner).hasValue(address(second));
  }

  @Test
  void singletonOfADeadNodeIsTakenOverWhenItsLeaseHasRunOut() {
    String impatient =
        """
        leasehold.pekko { heartbeat-timeout = 3s, heartbeat-interval = 500ms }
        pekko.cluster.singleton.lease-retry-interval = 200ms
        """;
    PekkoNode first = join("n1", impatient);
    startSingleton(first, "n1");
    PekkoNode second = join("n2", impatient);
    startSingleton(second, "n2");
    awaitStory("n1 started");

    leases.crash("n1");
    long crashNanos = System.nanoTime();
    Duration left = stored(SINGLETON).orElseThrow().remaining();
    Cluster.get(second.system()).down(Cluster.get(first.system()).selfAddress());

    awaitStory("n1 started", "n1 stopped", "n2 started");
    assertThat(Duration.ofNanos(System.nanoTime() - crashNanos)).isGreaterThanOrEqualTo(left);
    assertThat(stored(SINGLETON)).map(LeaseStatus::owner).hasValue(address(second));
  }

  private static ActorRef startShards(PekkoNode node, String name, List<String> story) {
    return ClusterSharding.get(node.system())
        .start(
            "customer",
            Chronicler.props(name, story),
            ClusterShardingSettings.create(node.system()),
            new ShardRegion.HashCodeMessageExtractor(1) {
              @Override
              public String entityId(Object message) {
                return "the one";
              }
            });
  }

  /** CASES.md, 79. */
  @Test
  void shardMovesLongBeforeItsLeaseWouldRunOut() {
    PekkoNode first = join("n1", "");
    ActorRef firstRegion = startShards(first, "n1", story);
    firstRegion.tell("hello", ActorRef.noSender());
    awaitStory("n1 started", "n1 got hello");
    LeaseStatus held = stored("shop-shard-customer-0").orElseThrow();
    assertThat(held.owner()).isEqualTo(address(first));
    PekkoNode second = join("n2", "");
    ActorRef secondRegion = startShards(second, "n2", story);

    assertThat(first.shutDown()).succeedsWithin(LIMIT);
    secondRegion.tell("hello again", ActorRef.noSender());

    awaitStory("n1 started", "n1 got hello", "n1 stopped", "n2 started", "n2 got hello again");
    assertThat(stored("shop-shard-customer-0")).map(LeaseStatus::owner).hasValue(address(second));
  }
}
