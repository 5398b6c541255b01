package io.leasehold.harness.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.leasehold.harness.DurationNotation;
import io.leasehold.harness.HostPort;
import io.leasehold.harness.wire.AcquireAnswer;
import io.leasehold.harness.wire.DigestView;
import io.leasehold.harness.wire.ErrorView;
import io.leasehold.harness.wire.EventView;
import io.leasehold.harness.wire.HandleView;
import io.leasehold.harness.wire.HealthView;
import io.leasehold.harness.wire.LeaseRow;
import io.leasehold.harness.wire.ReleaseAnswer;
import io.leasehold.harness.wire.RevokeAnswer;
import io.leasehold.harness.wire.SnapshotAnswer;
import io.leasehold.harness.wire.StatusView;
import io.leasehold.harness.wire.TransferAnswer;
import io.leasehold.harness.wire.Wire;
import io.leasehold.text.Quoted;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One node's HTTP interface, typed. Futures fail with {@link NodeCallException}; cancelling one
 * hangs up. Safe for many threads.
 */
public final class NodeClient {

  private static final Duration TIMEOUT = Duration.ofSeconds(15);
  private static final Duration CHANGE_LIMIT = Duration.ofMinutes(3);
  private static final Duration BACKUP_LIMIT = Duration.ofMinutes(10);

  private final HttpClient http;
  private final HostPort at;
  private final Duration timeout;
  private final Optional<String> token;

  private NodeClient(HttpClient http, HostPort at, Duration timeout, Optional<String> token) {
    this.http = http;
    this.at = at;
    this.timeout = timeout;
    this.token = token;
  }

  /** A client for the node that listens there; nothing is sent. */
  public static NodeClient of(HostPort at) {
    return of(newHttp(), at);
  }

  /** A client on an HTTP client that several share. */
  public static NodeClient of(HttpClient http, HostPort at) {
    return new NodeClient(http, at, TIMEOUT, Optional.empty());
  }

  /** The HTTP client that {@link #of(HostPort)} makes. */
  public static HttpClient newHttp() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(Duration.ofSeconds(3))
        .build();
  }

  /** This client with another limit on each call (acquires that wait get it on top). */
  public NodeClient withTimeout(Duration newTimeout) {
    return new NodeClient(http, at, newTimeout, token);
  }

  /** This client with the token that the node asks for before it changes something. */
  public NodeClient withToken(String newToken) {
    return new NodeClient(http, at, timeout, Optional.of(newToken));
  }

  /** Where it calls. */
  public HostPort at() {
    return at;
  }

  /** Acquires, or tries to; waits in line for {@code wait}. */
  public CompletableFuture<AcquireAnswer> acquire(
      String name, String owner, Duration ttl, Duration wait) {
    return acquire(name, owner, ttl, wait, false);
  }

  /** Acquires, or tries to, with all there is to say. */
  public CompletableFuture<AcquireAnswer> acquire(
      String name, String owner, Duration ttl, Duration wait, boolean reclaim) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("owner", owner);
    body.put("ttl", DurationNotation.of(ttl));
    body.put("wait", DurationNotation.of(wait));
    body.put("reclaim", reclaim);
    HttpRequest request =
        request(lease(name) + "/acquire")
            .timeout(timeout.plus(wait))
            .POST(BodyPublishers.ofString(Wire.text(body)))
            .build();
    return call(request, text -> Wire.read(text, AcquireAnswer.class));
  }

  /** Releases. */
  public CompletableFuture<ReleaseAnswer> release(String name, String owner) {
    HttpRequest request =
        request(lease(name) + "/release")
            .POST(BodyPublishers.ofString(Wire.text(Map.of("owner", owner))))
            .build();
    return call(request, text -> Wire.read(text, ReleaseAnswer.class));
  }

  /** What one owner on that node has of a lease. */
  public CompletableFuture<HandleView> find(String name, String owner) {
    return call(
        request(lease(name) + "?owner=" + encoded(owner)).build(),
        text -> Wire.read(text, HandleView.class));
  }

  /** What the store has of a lease. */
  public CompletableFuture<LeaseRow> find(String name) {
    return call(request(lease(name)).build(), text -> Wire.read(text, LeaseRow.class));
  }

  /** Every lease that is held. */
  public CompletableFuture<List<LeaseRow>> list() {
    return call(request("/leases").build(), text -> List.of(Wire.read(text, LeaseRow[].class)));
  }

  /**
   * Revokes.
   *
   * @param token the hold that is meant; null for whichever there is
   */
  public CompletableFuture<RevokeAnswer> revoke(
      String name, @Nullable Long token, String reason, boolean unsafe) {
    String query =
        "?reason="
            + encoded(reason)
            + (token == null ? "" : "&token=" + token)
            + (unsafe ? "&unsafe=true" : "");
    return call(
        request(lease(name) + query).DELETE().build(), text -> Wire.read(text, RevokeAnswer.class));
  }

  /** What the node knows of itself and its group. */
  public CompletableFuture<StatusView> status() {
    return call(request("/status").build(), text -> Wire.read(text, StatusView.class));
  }

  /** Has the leadership handed over to a member. */
  public CompletableFuture<TransferAnswer> transfer(String to) {
    HttpRequest request =
        request("/transfer").POST(BodyPublishers.ofString(Wire.text(Map.of("to", to)))).build();
    return call(request, text -> Wire.read(text, TransferAnswer.class));
  }

  /**
   * Has a node taken into the group.
   *
   * @return the members then
   */
  public CompletableFuture<StatusView> addMember(String id, String address) {
    HttpRequest request =
        request("/members")
            .timeout(CHANGE_LIMIT)
            .POST(BodyPublishers.ofString(Wire.text(Map.of("id", id, "address", address))))
            .build();
    return call(request, text -> Wire.read(text, StatusView.class));
  }

  /**
   * Has a member taken out of the group.
   *
   * @return the members then
   */
  public CompletableFuture<StatusView> removeMember(String id) {
    return call(
        request("/members/" + encoded(id)).timeout(CHANGE_LIMIT).DELETE().build(),
        text -> Wire.read(text, StatusView.class));
  }

  /** Has the node take a snapshot. */
  public CompletableFuture<SnapshotAnswer> snapshot() {
    return call(
        request("/snapshot").POST(BodyPublishers.noBody()).build(),
        text -> Wire.read(text, SnapshotAnswer.class));
  }

  /**
   * Fetches a backup of what the node holds.
   *
   * @param file where it goes; it must not be there yet
   */
  public CompletableFuture<Path> backup(Path file) {
    BodyHandler<String> saving =
        info ->
            info.statusCode() == 200
                ? BodySubscribers.mapping(
                    BodySubscribers.ofFile(
                        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    Path::toString)
                : BodySubscribers.ofString(StandardCharsets.UTF_8);
    return call(request("/backup").timeout(BACKUP_LIMIT).build(), saving, Path::of);
  }

  /** What the node's replica amounts to after an entry, or now if it is further. */
  public CompletableFuture<DigestView> digestAt(long index) {
    return call(request("/digest?at=" + index).build(), text -> Wire.read(text, DigestView.class));
  }

  /** Whether the node can serve; fails when it cannot. */
  public CompletableFuture<HealthView> health() {
    return call(request("/health").build(), text -> Wire.read(text, HealthView.class));
  }

  /**
   * Reads the event stream until it ends. The returned future completes when it does, and fails
   * when the reader does; cancelling hangs up. The reader is called on the HTTP client's threads,
   * one event at a time.
   */
  public CompletableFuture<Void> events(Consumer<EventView> reader) {
    HttpRequest request =
        HttpRequest.newBuilder(uri("/events")).header("Accept", "text/event-stream").build();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    EventLines lines =
        new EventLines(
            json -> reader.accept(Wire.read(json, EventView.class)), ended::completeExceptionally);
    CompletableFuture<HttpResponse<Void>> sent =
        http.sendAsync(request, info -> HttpResponse.BodySubscribers.fromLineSubscriber(lines));
    var unusedAnswer =
        sent.whenComplete(
            (response, failure) -> {
              if (failure != null) {
                ended.completeExceptionally(sorted(failure));
              } else if (response.statusCode() != 200) {
                ended.completeExceptionally(
                    NodeCallException.refused(
                        response.statusCode(),
                        new ErrorView("unavailable", null, at + " gives no event stream")));
              } else {
                ended.complete(null);
              }
            });
    var unusedCancel =
        ended.whenComplete(
            (done, failure) -> {
              if (ended.isCancelled()) {
                lines.cancel();
                sent.cancel(true);
              }
            });
    return ended;
  }

  /**
   * Waits for an answer.
   *
   * @throws NodeCallException when there was none, or it was a refusal
   */
  public static <T> T await(CompletableFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof NodeCallException call) {
        throw call;
      }
      throw new IllegalStateException("a call to a node failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a node's answer", e);
    }
  }

  private <T> CompletableFuture<T> call(HttpRequest request, Function<String, T> reader) {
    return call(request, BodyHandlers.ofString(StandardCharsets.UTF_8), reader);
  }

  private <T> CompletableFuture<T> call(
      HttpRequest request, BodyHandler<String> body, Function<String, T> reader) {
    CompletableFuture<HttpResponse<String>> sent = http.sendAsync(request, body);
    CompletableFuture<T> answer = new CompletableFuture<>();
    var unusedAnswer =
        sent.whenComplete(
            (response, failure) -> {
              try {
                if (failure != null) {
                  answer.completeExceptionally(sorted(failure));
                } else if (response.statusCode() == 200) {
                  answer.complete(reader.apply(response.body()));
                } else {
                  answer.completeExceptionally(
                      NodeCallException.refused(response.statusCode(), errorIn(response)));
                }
              } catch (RuntimeException e) {
                answer.completeExceptionally(
                    NodeCallException.unreachable(
                        at + " answered something that is no answer of a node", e));
              }
            });
    var unusedCancel =
        answer.whenComplete(
            (done, failure) -> {
              if (answer.isCancelled()) {
                sent.cancel(true);
              }
            });
    return answer;
  }

  private NodeCallException sorted(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof NodeCallException call) {
      return call;
    }
    String what =
        cause instanceof ConnectException
            ? "no node answers at " + at + "; is it running, and is this its --http address?"
            : cause instanceof HttpTimeoutException
                ? at + " did not answer in time"
                : "the connection to " + at + " broke off; is this its --http address?";
    return NodeCallException.unreachable(what, cause);
  }

  private static ErrorView errorIn(HttpResponse<String> response) {
    try {
      JsonNode tree = Wire.tree(response.body().getBytes(StandardCharsets.UTF_8));
      if (tree.path("error").isTextual()) {
        return new ErrorView(
            tree.path("error").textValue(),
            tree.path("field").isTextual() ? tree.path("field").textValue() : null,
            Quoted.line(tree.path("message").asText()));
      }
    } catch (IOException e) {
      // falls through: not an answer of ours
    }
    return new ErrorView("internal", null, "HTTP status " + response.statusCode());
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(timeout);
    token.ifPresent(known -> request.header("Authorization", "Bearer " + known));
    return request;
  }

  private URI uri(String path) {
    return URI.create(at.uri() + path);
  }

  private static String lease(String name) {
    return "/leases/" + encoded(name);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
