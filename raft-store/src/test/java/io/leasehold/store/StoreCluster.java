package io.leasehold.store;

import static org.awaitility.Awaitility.await;

import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.SessionId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Three nodes in this JVM, on loopback, each with a folder under one root. */
final class StoreCluster implements AutoCloseable {

  static final Duration LIMIT = Duration.ofSeconds(30);

  /** Clusters of several tests are there at the same time. */
  private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

  private final String name;
  private final Path root;
  private final UnaryOperator<StoreConfig> settings;
  private final List<Member> members;
  private final Map<String, StoreNode> running = new TreeMap<>();

  private StoreCluster(
      String name, Path root, List<Member> members, UnaryOperator<StoreConfig> settings) {
    this.name = name;
    this.root = root;
    this.members = members;
    this.settings = settings;
  }

  static StoreCluster start(Path root) {
    return start(root, config -> config);
  }

  static StoreCluster start(Path root, UnaryOperator<StoreConfig> settings) {
    StoreCluster cluster = new StoreCluster("test", root, freeMembers(), settings);
    cluster.startAll();
    return cluster;
  }

  static StoreCluster start(String name, Path root, List<Member> members) {
    StoreCluster cluster = new StoreCluster(name, root, members, config -> config);
    cluster.startAll();
    return cluster;
  }

  /** Members n1, n2 and n3 on ports that are free now, and that no other test here was given. */
  static List<Member> freeMembers() {
    List<ServerSocket> sockets = new ArrayList<>();
    List<Member> members = new ArrayList<>();
    try {
      while (members.size() < 3) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        sockets.add(socket);
        if (GIVEN.add(socket.getLocalPort())) {
          members.add(new Member("n" + (members.size() + 1), "127.0.0.1", socket.getLocalPort()));
        }
      }
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException("no free port", e);
    }
    return members;
  }

  List<Member> members() {
    return members;
  }

  Member member(String id) {
    return members.stream().filter(each -> each.id().equals(id)).findFirst().orElseThrow();
  }

  /** Deletes a folder and all that is in it. */
  static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  Path folder(String id) {
    return root.resolve(id);
  }

  StoreConfig config(String id) {
    return settings.apply(StoreConfig.of(name, id, members, folder(id)));
  }

  StoreNode start(String id) {
    StoreNode node = StoreNode.start(config(id));
    running.put(id, node);
    return node;
  }

  void startAll() {
    members.forEach(member -> start(member.id()));
  }

  void stop(String id) {
    StoreNode node = running.remove(id);
    if (node != null) {
      node.close();
    }
  }

  /** All at once, as a crowd that leaves by one door takes long. */
  void stopAll() {
    CompletableFuture.allOf(
            running.values().stream()
                .map(node -> CompletableFuture.runAsync(node::close))
                .toArray(CompletableFuture[]::new))
        .join();
    running.clear();
  }

  List<StoreNode> nodes() {
    return List.copyOf(running.values());
  }

  StoreNode node(String id) {
    StoreNode node = running.get(id);
    if (node == null) {
      throw new IllegalStateException(id + " does not run");
    }
    return node;
  }

  /** Waits until the running nodes agree on a leader that runs. */
  StoreNode leader() {
    await("the nodes agree on a leader")
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> agreedLeader().isPresent());
    return agreedLeader().orElseThrow();
  }

  private Optional<StoreNode> agreedLeader() {
    List<Optional<String>> leaders =
        running.values().stream().map(node -> node.status().leader()).distinct().toList();
    return leaders.size() == 1
        ? leaders.get(0).flatMap(id -> Optional.ofNullable(running.get(id)))
        : Optional.empty();
  }

  StoreNode follower() {
    String leader = leader().node();
    return running.values().stream()
        .filter(node -> !node.node().equals(leader))
        .findFirst()
        .orElseThrow();
  }

  /** Waits until a node has applied what another one has. */
  void awaitSameIndex(StoreNode behind, StoreNode ahead) {
    long index = ahead.status().appliedIndex();
    await(behind.node() + " has caught up to index " + index)
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> behind.status().appliedIndex() >= index);
  }

  /** Hands a batch over, again and again, until it has a reply; for no longer than twice LIMIT. */
  static BatchReply propose(StoreNode node, Batch batch) {
    long start = System.nanoTime();
    for (int attempt = 0; System.nanoTime() - start < 2 * LIMIT.toNanos(); attempt++) {
      Optional<BatchReply> reply = attempt(node, batch, attempt);
      if (reply.isPresent()) {
        return reply.get();
      }
      await("the node knows a leader before the next attempt")
          .atMost(LIMIT)
          .pollDelay(Duration.ofMillis(20))
          .pollInterval(Duration.ofMillis(20))
          .until(() -> node.status().leader().isPresent());
    }
    throw new AssertionError("no reply within " + LIMIT.multipliedBy(2));
  }

  private static Optional<BatchReply> attempt(StoreNode node, Batch batch, int attempt) {
    try {
      return Optional.of(get(node.propose(batch, attempt), Duration.ofSeconds(1)));
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty();
    }
  }

  /** Returns the result of a stage that has to come within a time. */
  static <T> T get(CompletionStage<T> stage, Duration limit)
      throws ExecutionException, TimeoutException {
    try {
      return stage.toCompletableFuture().get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A node's part of the protocol: one session, numbered batches. */
  static final class Client {
    private final SessionId session;
    private long sequence;

    Client(long id) {
      session = new SessionId(id, id);
    }

    SessionId id() {
      return session;
    }

    Batch batch(Command... commands) {
      return Batch.of(session, ++sequence, List.of(commands));
    }

    BatchReply open(StoreNode node, Duration ttl) {
      BatchReply opened = propose(node, batch(new Command.OpenSession(node.node(), ttl.toNanos())));
      sequence = opened.index();
      return opened;
    }

    BatchReply call(StoreNode node, Command... commands) {
      return propose(node, batch(commands));
    }
  }

  static Command.Acquire acquire(String name, Duration ttl, long acquisitionId) {
    return new Command.Acquire(name, "owner", ttl.toNanos(), acquisitionId, false, false);
  }

  @Override
  public void close() {
    stopAll();
  }
}
