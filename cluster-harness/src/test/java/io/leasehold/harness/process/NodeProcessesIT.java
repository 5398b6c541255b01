package io.leasehold.harness.process;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.AcquireAnswer;
import io.leasehold.harness.wire.EventView;
import io.leasehold.harness.wire.HolderView;
import io.leasehold.harness.wire.LeaseRow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three node processes, driven over HTTP alone. Each test leaves all of them running. */
final class NodeProcessesIT {

  private static final Duration SHORT = Duration.ofSeconds(3);
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration NO_WAIT = Duration.ZERO;
  private static final Duration WAIT = Duration.ofMinutes(1);

  @TempDir static Path folder;
  private static @Nullable LocalCluster started;

  private final LocalCluster cluster = requireNonNull(started);

  @BeforeAll
  static void start() {
    started = LocalCluster.start(folder, 3);
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
  }

  @AfterEach
  void startAll() {
    cluster.startAll();
  }

  @Test
  void leaseGoesFromHolderToWaiterToOperator() {
    long first = token(acquire("n1", "life", "a", LONG, NO_WAIT));
    assertThat(NodeClient.await(acquire("n2", "life", "b", LONG, NO_WAIT)))
        .isEqualTo(new AcquireAnswer(false, null, new HolderView("a", "n1")));
    CompletableFuture<AcquireAnswer> b = acquire("n2", "life", "b", LONG, WAIT);
    awaitWaiters("life", 1);
    CompletableFuture<AcquireAnswer> c = acquire("n3", "life", "c", LONG, WAIT);
    awaitWaiters("life", 2);
    assertThat(release("n2", "life", "z")).as("a stranger's release").isFalse();

    assertThat(release("n1", "life", "a")).isTrue();

    long second = token(b);
    assertThat(second).isGreaterThan(first);
    assertThat(c).isNotDone();
    assertThat(isAlive("n2", "life", "b")).isTrue();
    assertThat(isAlive("n1", "life", "a")).isFalse();

    assertThat(
            NodeClient.await(cluster.client("n1").revoke("life", second, "test", false)).revoked())
        .isTrue();

    assertThat(token(c)).isGreaterThan(second);
    assertThat(isAlive("n2", "life", "b")).isFalse();
    assertThat(release("n3", "life", "c")).isTrue();
    assertThat(holder("life")).isNull();
  }

  @Test
  void eachNodeKilledAndRestartedLeavesTheOthersTheirLeases() {
    for (String victim : cluster.ids()) {
      Map<String, Long> held = new LinkedHashMap<>();
      for (String id : cluster.ids()) {
        held.put(id, token(acquire(id, victim + "-kills-" + id, id, LONG, NO_WAIT)));
      }

      cluster.kill(victim);
      cluster.restart(victim);

      held.forEach(
          (id, token) -> {
            String lease = victim + "-kills-" + id;
            assertThat(row(victim, lease).fencingToken()).as(lease).isEqualTo(token);
            assertThat(isAlive(id, lease, id)).as(lease).isEqualTo(!id.equals(victim));
          });
      long next = token(acquire(victim, "after-" + victim, victim, LONG, NO_WAIT));
      assertThat(held.values()).allMatch(token -> token < next);
    }
  }

  @Test
  void allNodesKilledAtOnceKeepLeasesAndTokens() {
    for (String id : cluster.ids()) {
      long unusedToken = token(acquire(id, "all-" + id, id, LONG, NO_WAIT));
    }
    List<LeaseRow> before = NodeClient.await(cluster.client("n1").list());

    cluster.killAll();
    cluster.startAll();

    for (String id : cluster.ids()) {
      assertThat(NodeClient.await(cluster.client(id).list()))
          .as("seen by " + id)
          .usingRecursiveFieldByFieldElementComparatorOnFields("name", "holder", "fencingToken")
          .containsExactlyElementsOf(before);
    }
    assertThat(NodeClient.await(acquire("n2", "all-n1", "stranger", LONG, NO_WAIT)).acquired())
        .isFalse();
    assertThat(NodeClient.await(acquire("n1", "all-n1", "n1", LONG, NO_WAIT)).acquired())
        .as("the same owner in a new process")
        .isFalse();
    AcquireAnswer reclaimed =
        NodeClient.await(cluster.client("n1").acquire("all-n1", "n1", LONG, NO_WAIT, true));
    assertThat(reclaimed.fencingToken())
        .isGreaterThan(
            before.stream()
                .mapToLong(row -> requireNonNull(row.fencingToken()))
                .max()
                .orElseThrow());
  }

  @Test
  void killedHolderIsSucceededByTheWaiterAndKnowsNothingOfItAfterwards() {
    String holder = follower();
    String waiter = followerOtherThan(holder);
    long first = token(acquire(holder, "heir", "a", SHORT, NO_WAIT));
    CompletableFuture<AcquireAnswer> waiting = acquire(waiter, "heir", "b", SHORT, WAIT);
    awaitWaiters("heir", 1);

    cluster.kill(holder);

    assertThat(token(waiting)).isGreaterThan(first);
    cluster.restart(holder);
    assertThat(isAlive(holder, "heir", "a")).isFalse();
    assertThat(release(holder, "heir", "a")).isFalse();
  }

  @Test
  void pausedHolderWakesToALostLeaseAndIsToldOnce() {
    String holder = follower();
    String waiter = followerOtherThan(holder);
    List<EventView> losses = new CopyOnWriteArrayList<>();
    List<EventView> begun = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> stream =
        cluster
            .client(holder)
            .events(event -> (event.event().equals("lost") ? losses : begun).add(event));
    await("the stream").until(() -> !begun.isEmpty());
    long token = token(acquire(holder, "paused", "a", SHORT, NO_WAIT));
    CompletableFuture<AcquireAnswer> waiting = acquire(waiter, "paused", "b", SHORT, WAIT);
    awaitWaiters("paused", 1);

    cluster.pause(holder);
    long unusedToken = token(waiting);
    var asked = cluster.client(holder).find("paused", "a");
    cluster.resume(holder);

    assertThat(NodeClient.await(asked).alive()).isFalse();
    await("the loss").until(() -> !losses.isEmpty());
    assertThat(release(waiter, "paused", "b")).isTrue();
    assertThat(losses).hasSize(1);
    assertThat(losses.get(0).fencingToken()).isEqualTo(token);
    stream.cancel(true);
  }

  @Test
  void nodeWithoutAMajoritySaysSoAndLosesItsLeases() {
    String alone = follower();
    long unusedToken = token(acquire(alone, "alone", "a", SHORT, NO_WAIT));
    cluster.ids().stream().filter(id -> !id.equals(alone)).forEach(cluster::kill);

    await("the loss").until(() -> !isAlive(alone, "alone", "a"));
    NodeCallException unhealthy = refused(cluster.client(alone).health());
    NodeCallException unanswered = refused(acquire(alone, "other", "a", SHORT, NO_WAIT));

    assertThat(unhealthy.status()).isEqualTo(503);
    assertThat(unhealthy).hasMessageNotContaining("\n");
    assertThat(unanswered.status()).isEqualTo(503);
    assertThat(unanswered.error()).isIn("unavailable", "indeterminate");
  }

  @Test
  void garbageGets400() throws IOException, InterruptedException {
    URI acquire = URI.create(cluster.process("n1").http().uri() + "/leases/x/acquire");
    for (String body : List.of("", "garbage", "[]", "{}", "{\"owner\":1,\"ttl\":\"3s\"}")) {
      var request = HttpRequest.newBuilder(acquire).POST(BodyPublishers.ofString(body)).build();

      var response = NodeClient.newHttp().send(request, BodyHandlers.ofString());

      assertThat(response.statusCode()).as(body).isEqualTo(400);
      assertThat(response.body()).startsWith("{\"error\":\"invalid\",\"field\":");
    }
  }

  private CompletableFuture<AcquireAnswer> acquire(
      String node, String lease, String owner, Duration ttl, Duration wait) {
    return cluster.client(node).acquire(lease, owner, ttl, wait);
  }

  private boolean release(String node, String lease, String owner) {
    return NodeClient.await(cluster.client(node).release(lease, owner)).released();
  }

  private boolean isAlive(String node, String lease, String owner) {
    return NodeClient.await(cluster.client(node).find(lease, owner)).alive();
  }

  private LeaseRow row(String node, String lease) {
    return NodeClient.await(cluster.client(node).find(lease));
  }

  private @Nullable HolderView holder(String lease) {
    return row("n1", lease).holder();
  }

  private void awaitWaiters(String lease, int count) {
    await(count + " in line").until(() -> row("n1", lease).waiters() == count);
  }

  private String follower() {
    return followerOtherThan("");
  }

  private String followerOtherThan(String other) {
    String leader = cluster.leader();
    return cluster.ids().stream()
        .filter(id -> !id.equals(leader) && !id.equals(other))
        .findFirst()
        .orElseThrow();
  }

  private static long token(CompletableFuture<AcquireAnswer> answer) {
    AcquireAnswer granted = NodeClient.await(answer);
    assertThat(granted.acquired()).isTrue();
    return requireNonNull(granted.fencingToken());
  }

  private static NodeCallException refused(CompletableFuture<?> answer) {
    return requireNonNull(
        catchThrowableOfType(NodeCallException.class, () -> NodeClient.await(answer)));
  }
}
