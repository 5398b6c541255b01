package io.leasehold.harness.shards;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.wire.Wire;
import io.leasehold.time.ExecutorTimer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks any node for some shard, again and again. The longer it runs the more shards there are. Safe
 * for many threads.
 */
final class RequestStream implements AutoCloseable {

  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** So many requests for each new shard. */
  private static final int REQUESTS_PER_SHARD = 3;

  /** Without a limit for connecting: a node that is paused may be slow to let anybody in. */
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final List<String> nodes;
  private final Function<String, HostPort> address;
  private final Random random;
  private final ExecutorTimer timer = new ExecutorTimer("requests");
  private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
  private final AtomicLong newestToken = new AtomicLong();
  private volatile boolean open = true;
  private int count;

  /**
   * One request.
   *
   * @param at when it was made, by {@link System#nanoTime}
   * @param end completes with what became of it; never fails
   */
  record Asked(String node, String shard, long at, CompletableFuture<Outcome> end) {}

  /**
   * What became of a request.
   *
   * @param allocation the answer; null when there was none
   * @param failure why it is neither answered nor rejected: the connection broke, or was never made
   * @param at when that was
   */
  record Outcome(@Nullable Allocation allocation, Optional<Throwable> failure, long at) {}

  RequestStream(List<String> nodes, Function<String, HostPort> address, long seed) {
    this.nodes = List.copyOf(nodes);
    this.address = address;
    this.random = new Random(seed);
    next();
  }

  private void next() {
    if (open) {
      count++;
      var unusedOutcome =
          ask(
              nodes.get(random.nextInt(nodes.size())),
              "s" + random.nextInt(1 + count / REQUESTS_PER_SHARD));
      var unused = timer.schedule(PAUSE, this::next);
    }
  }

  /** Asks a node for a shard, besides. */
  CompletableFuture<Outcome> ask(String node, String shard) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address.apply(node).uri() + "/request"))
            .timeout(LIMIT)
            .POST(BodyPublishers.ofString(shard))
            .build();
    long at = System.nanoTime();
    CompletableFuture<Outcome> end =
        http.sendAsync(request, BodyHandlers.ofString()).handle(this::outcome);
    asked.add(new Asked(node, shard, at, end));
    return end;
  }

  private Outcome outcome(@Nullable HttpResponse<String> response, @Nullable Throwable failure) {
    long at = System.nanoTime();
    if (response == null) {
      return new Outcome(null, Optional.ofNullable(failure), at);
    }
    if (response.statusCode() != 200) {
      return new Outcome(null, Optional.empty(), at);
    }
    Allocation allocation = Wire.read(response.body(), Allocation.class);
    newestToken.accumulateAndGet(allocation.fencingToken(), Math::max);
    return new Outcome(allocation, Optional.empty(), at);
  }

  /** The greatest token of a coordinator in an answer so far. */
  long newestToken() {
    return newestToken.get();
  }

  /** Asks no more, and waits for what is open; returns all requests. */
  List<Asked> end() {
    open = false;
    CompletableFuture<Void> lastAsked = new CompletableFuture<>();
    var unused = timer.schedule(Duration.ZERO, () -> lastAsked.complete(null));
    lastAsked.join();
    asked.forEach(request -> request.end().join());
    return List.copyOf(asked);
  }

  @Override
  public void close() {
    open = false;
    timer.close();
  }
}
