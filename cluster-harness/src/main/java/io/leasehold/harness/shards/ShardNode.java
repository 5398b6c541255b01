package io.leasehold.harness.shards;

import io.leasehold.LeaseEvent;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.concurrent.Strand;
import io.leasehold.singleton.AsyncSingletonTask;
import io.leasehold.singleton.Singleton;
import io.leasehold.singleton.SingletonContext;
import io.leasehold.time.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One node: a region, a coordinator if its lease is held here, and the way to the coordinator if it
 * is not. All of it takes turns on one strand, and nothing blocks. Safe for many threads.
 */
final class ShardNode implements AutoCloseable {

  private final String id;
  private final ShardSettings settings;
  private final LeaseProvider leases;
  private final Timer timer;
  private final Peers peers;
  private final ShardLog log;
  private final RandomGenerator random;
  private final Strand strand = new Strand();

  private ShardCoordinator coordinator;
  private @Nullable ShardRegion region;
  private @Nullable String leader;

  /** What ends its part, in this order. */
  private final List<Runnable> endings = new ArrayList<>();

  private ShardNode(
      String id,
      ShardSettings settings,
      LeaseProvider leases,
      Timer timer,
      Peers peers,
      ShardLog log,
      RandomGenerator random) {
    this.id = id;
    this.settings = settings;
    this.leases = leases;
    this.timer = timer;
    this.peers = peers;
    this.log = log;
    this.random = random;
    this.coordinator = newCoordinator();
  }

  /**
   * Takes part from now on.
   *
   * @param id one of the nodes of the settings
   * @param leases stays the caller's to close, after this
   */
  static ShardNode start(
      String id,
      ShardSettings settings,
      LeaseProvider leases,
      Timer timer,
      Peers peers,
      ShardLog log,
      RandomGenerator random) {
    ShardNode node = new ShardNode(id, settings, leases, timer, peers, log, random);
    node.compete();
    return node;
  }

  private void compete() {
    Singleton hosting = singleton(settings.regionLease(id), this::host);
    Singleton coordination = singleton(settings.coordinatorLease(id), this::coordinate);
    Subscription leaders = coordination.observe(event -> strand.execute(() -> observed(event)));
    endings.addAll(List.of(leaders::close, coordination::close, hosting::close));
  }

  private Singleton singleton(LeaseSettings lease, AsyncSingletonTask task) {
    return Singleton.builder(leases, lease)
        .retryInterval(settings.interval())
        .timer(timer)
        .random(random)
        .startAsync(task);
  }

  private ShardCoordinator newCoordinator() {
    Survey survey = new Survey(settings, peers, leases.inspector(), timer, strand);
    return new ShardCoordinator(peers, survey, strand, log);
  }

  // --- for clients and other nodes

  /** Asks the coordinator, wherever it is, who has a shard. */
  CompletionStage<Allocation> request(String shard) {
    ShardRequest request = ShardRequest.of(shard);
    strand.execute(
        () -> elsewhere().ifPresentOrElse(to -> forward(request, to), () -> receive(request)));
    return request.answer().minimalCompletionStage();
  }

  /**
   * Returns the other node that coordinates; empty when it is this one, or nobody that it knows.
   */
  private Optional<String> elsewhere() {
    return coordinator.hasBegun()
        ? Optional.empty()
        : Optional.ofNullable(leader).filter(node -> !node.equals(id));
  }

  private void receive(ShardRequest request) {
    coordinator.receive(request);
  }

  private void forward(ShardRequest request, String to) {
    peers
        .request(to, request.shard())
        .whenComplete(
            (allocation, failure) -> {
              if (allocation != null) {
                request.grant(allocation);
              } else {
                request.reject(to + " says: " + RequestRejectedException.reason(failure));
              }
            });
  }

  /** Asks the coordinator of this node, for another one that thinks it is here. */
  CompletionStage<Allocation> requestHere(String shard) {
    ShardRequest request = ShardRequest.of(shard);
    strand.execute(
        () -> elsewhere().ifPresentOrElse(to -> reject(request, to), () -> receive(request)));
    return request.answer().minimalCompletionStage();
  }

  private static void reject(ShardRequest request, String coordinator) {
    request.reject(coordinator + " coordinates; ask again");
  }

  /** Tells a coordinator what the region of this node has. */
  CompletionStage<RegionReport> takeOver(long token) {
    return onStrand(() -> region == null ? RegionReport.gone(id) : region.takeOver(token));
  }

  /** Hands a shard to the region of this node. */
  CompletionStage<Verdict> accept(Allocation allocation) {
    return onStrand(() -> region == null ? Verdict.GONE : region.accept(allocation));
  }

  /** Writes down what this node believes to be at present. */
  void claim() {
    strand.execute(
        () -> {
          coordinator.claim();
          if (region != null) {
            region.claim();
          }
        });
  }

  private <T> CompletionStage<T> onStrand(Supplier<T> task) {
    CompletableFuture<T> done = new CompletableFuture<>();
    strand.execute(() -> done.complete(task.get()));
    return done.minimalCompletionStage();
  }

  // --- under the leases

  private CompletionStage<?> coordinate(SingletonContext tenure) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    strand.execute(
        () -> {
          var unused =
              coordinator
                  .begin(tenure)
                  .thenRun(
                      () -> {
                        coordinator = newCoordinator();
                        ended.complete(null);
                      });
        });
    return ended;
  }

  private CompletionStage<?> host(SingletonContext life) {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    strand.execute(() -> region = new ShardRegion(id, life, log));
    life.onCancel(
        () ->
            strand.execute(
                () -> {
                  region = null;
                  ended.complete(null);
                }));
    return ended;
  }

  private void observed(LeaseEvent event) {
    switch (event.kind()) {
      case CURRENT, GRANTED -> leader = event.owner();
      case FREE, RELEASED, EXPIRED, TAKEN_OVER -> leader = null;
      case REVOKED -> {} // it ends when its holder confirms
    }
    elsewhere()
        .ifPresent(to -> coordinator.yieldBuffered().forEach(request -> forward(request, to)));
  }

  /** Returns who coordinates, as far as this node knows; empty when nobody does. */
  CompletionStage<Optional<String>> leader() {
    return onStrand(() -> Optional.ofNullable(leader));
  }

  /** Stops to coordinate, then to host, and rejects what is pending. */
  @Override
  public void close() {
    endings.forEach(Runnable::run);
    strand.execute(() -> coordinator.stop("its node is closed"));
  }
}
