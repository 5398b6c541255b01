package io.leasehold.harness.http;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.raft.NodeHealth;
import io.leasehold.store.Member;
import io.leasehold.store.StoreStatus;
import io.leasehold.store.TableDigest;
import io.leasehold.time.VirtualTime;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;

/** Two nodes' HTTP interfaces on leases in memory, whose time is turned by hand. */
public final class HttpNodes implements AutoCloseable {

  private static final List<Member> MEMBERS =
      List.of(new Member("n1", "127.0.0.1", 9001), new Member("n2", "::1", 9002));

  /** Members that do not answer when they are to lead, and have nothing to take a snapshot of. */
  public final Set<String> unable = new CopyOnWriteArraySet<>();

  /** Members whose replicas are not what the others' are. */
  public final Set<String> diverged = new CopyOnWriteArraySet<>();

  /** Members that do not take the leadership over. */
  public final Set<String> unwilling = new CopyOnWriteArraySet<>();

  /** What is said of a node's health, if not that it is ready. */
  public final Map<String, NodeHealth.State> health = new ConcurrentHashMap<>();

  public final VirtualTime time = new VirtualTime();
  public final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
  private final HttpClient http = NodeClient.newHttp();
  private final Map<String, NodeHttp> nodes = new HashMap<>();
  private final Map<String, StoreStatus> statuses = new HashMap<>();

  public HttpNodes() {
    start("n1");
    start("n2");
  }

  public NodeClient client(String node) {
    return NodeClient.of(http, address(node));
  }

  public HostPort address(String node) {
    NodeHttp server = nodes.get(node);
    if (server == null) {
      throw new IllegalArgumentException("there is no node " + node);
    }
    return new HostPort(HostPort.LOOPBACK, server.port());
  }

  /** Sends a request as it stands. */
  public HttpResponse<String> send(String node, String method, String path, String body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address(node).uri() + path))
            .timeout(Duration.ofSeconds(10))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    try {
      return http.send(request, BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(method + " " + path + " was not answered", e);
    }
  }

  /** A node's member of the store. */
  MemberControl control(String node) {
    return new Control(node);
  }

  /** What a node's store says of itself from now on. */
  public void setStatus(String node, Optional<String> leader, Optional<String> failure) {
    synchronized (statuses) {
      statuses.put(node, status(node, leader, failure, MEMBERS));
    }
  }

  /** What a node's store says of another member from now on. */
  public void setMemberWarning(String node, String member, String warning) {
    synchronized (statuses) {
      StoreStatus now = status(node);
      statuses.put(
          node,
          new StoreStatus(
              node,
              now.role(),
              now.leader(),
              now.term(),
              now.appliedIndex(),
              now.leaseTimeNanos(),
              now.members(),
              now.listeners(),
              now.waitsFor(),
              now.warning(),
              Map.of(member, warning),
              now.failure()));
    }
  }

  /** A node is the only member of its store from now on, and leads it. */
  public void setSoleMember(String node) {
    synchronized (statuses) {
      Member alone = new Member(node, "127.0.0.1", 9001);
      statuses.put(node, status(node, Optional.of(node), Optional.empty(), List.of(alone)));
    }
  }

  @Override
  public void close() {
    nodes.values().forEach(NodeHttp::close);
    cluster.close();
  }

  private void start(String node) {
    setStatus(node, Optional.of("n1"), Optional.empty());
    LeaseProvider leases = cluster.node(node);
    nodes.put(
        node,
        NodeHttp.start(
            new HostPort(HostPort.LOOPBACK, 0),
            HttpAccess.of(new HostPort(HostPort.LOOPBACK, 0), Optional.empty()),
            node,
            leases,
            control(node),
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)));
  }

  /** Hands the leadership over to whoever can and will. */
  private final class Control implements MemberControl {

    private final String node;

    Control(String node) {
      this.node = node;
    }

    @Override
    public StoreStatus status() {
      return HttpNodes.this.status(node);
    }

    @Override
    public CompletionStage<NodeHealth> health() {
      Optional<String> failure = status().failure();
      if (failure.isPresent()) {
        return CompletableFuture.completedFuture(
            new NodeHealth(
                NodeHealth.State.NOT_SERVING,
                List.of("this node does not serve any more: " + failure.get()),
                status()));
      }
      NodeHealth.State state = health.getOrDefault(node, NodeHealth.State.READY);
      List<String> reasons =
          state == NodeHealth.State.READY
              ? List.of()
              : List.of("the disk is slow: see to it", "member n2 is silent: see to it");
      return CompletableFuture.completedFuture(new NodeHealth(state, reasons, status()));
    }

    @Override
    public CompletionStage<Void> addMember(Member added) {
      return CompletableFuture.failedFuture(
          new LeaseUnavailableException(added.id() + " does not answer at " + added.address()));
    }

    @Override
    public CompletionStage<Void> removeMember(String removed) {
      throw new InvalidLeaseArgumentException("member", "must be one of the members: " + removed);
    }

    @Override
    public CompletionStage<Boolean> transferLeadership(String to) {
      if (!nodes.containsKey(to)) {
        throw new InvalidLeaseArgumentException("to", "must be one of the members: " + to);
      }
      if (unable.contains(to)) {
        return CompletableFuture.failedFuture(
            new LeaseUnavailableException("member " + to + " does not answer"));
      }
      boolean willing = !unwilling.contains(to);
      if (willing) {
        nodes.keySet().forEach(each -> setStatus(each, Optional.of(to), Optional.empty()));
      }
      return CompletableFuture.completedFuture(willing);
    }

    @Override
    public CompletionStage<Long> snapshot() {
      return unable.contains(node)
          ? CompletableFuture.failedFuture(
              new LeaseUnavailableException("there is nothing yet to take a snapshot of"))
          : CompletableFuture.completedFuture(41L);
    }

    @Override
    public CompletionStage<Long> backup(Path file) {
      if (unable.contains(node)) {
        return CompletableFuture.failedFuture(new LeaseUnavailableException("the disk is full"));
      }
      try {
        Files.writeString(file, "all that " + node + " holds");
        return CompletableFuture.completedFuture(41L);
      } catch (IOException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    @Override
    public CompletionStage<TableDigest> digestAt(long index) {
      String all = diverged.contains(node) ? "other" : "same";
      return CompletableFuture.completedFuture(new TableDigest(Math.max(index, 42), 7, 9, all));
    }
  }

  private StoreStatus status(String node) {
    synchronized (statuses) {
      StoreStatus status = statuses.get(node);
      if (status == null) {
        throw new IllegalArgumentException("there is no node " + node);
      }
      return status;
    }
  }

  private static StoreStatus status(
      String node, Optional<String> leader, Optional<String> failure, List<Member> members) {
    return new StoreStatus(
        node,
        leader.equals(Optional.of(node)) ? StoreStatus.Role.LEADER : StoreStatus.Role.FOLLOWER,
        leader,
        3,
        42,
        7_000_000_000L,
        members,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        failure);
  }
}
