package io.leasehold.harness.http;

import io.leasehold.LeaseProvider;
import io.leasehold.harness.HostPort;
import io.leasehold.harness.wire.ErrorView;
import io.leasehold.harness.wire.Wire;
import io.leasehold.time.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server of a node. Safe for many threads. */
public final class NodeHttp implements AutoCloseable {

  static final int BODY_BYTES_MAX = 16 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(NodeHttp.class);
  private static final int REQUEST_LINE_BYTES_MAX = 8 * 1024;
  private static final long DISCARDED_BYTES_MAX = 16L * 1024 * 1024;
  private static final int SIGN_OF_LIFE_MILLIS = 10_000;
  private static final int SWEEP_MILLIS = 30_000;
  private static final int CLOSE_SECONDS_MAX = 3;

  private final Vertx vertx;
  private final HttpAccess access;
  private final Executor loop;
  private final EventFeed events;
  private final Routes routes;
  private final Handles handles;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile HttpServer server;

  private NodeHttp(
      Vertx vertx,
      HttpAccess access,
      String node,
      LeaseProvider leases,
      MemberControl member,
      PrometheusMeterRegistry registry) {
    this.vertx = vertx;
    this.access = access;
    Context context = vertx.getOrCreateContext();
    this.loop = task -> onLoop(context, task);
    HttpMeters meters = new HttpMeters(registry);
    this.events = new EventFeed(leases.inspector(), member::status, loop, this::later);
    this.handles =
        new Handles(
            leases,
            loop,
            lost -> {
              meters.lost(lost.reason());
              events.lost(lost, node);
            });
    meters.watch(handles, events);
    this.routes =
        new Routes(
            new LeaseRoutes(node, handles, leases.inspector(), meters),
            new NodeRoutes(member, registry),
            events);
    this.server = vertx.createHttpServer(options());
  }

  /**
   * Starts to listen.
   *
   * @param at where; port 0 takes a free one
   * @param access who may call
   * @param node this node's name
   * @param leases what it serves; stays the caller's to close
   * @param member its member of the store
   * @param registry what {@code /metrics} shows
   * @throws HttpStartException when it cannot listen there, with one sentence that says why
   */
  public static NodeHttp start(
      HostPort at,
      HttpAccess access,
      String node,
      LeaseProvider leases,
      MemberControl member,
      PrometheusMeterRegistry registry) {
    InetAddress address = address(at);
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false)));
    NodeHttp http = new NodeHttp(vertx, access, node, leases, member, registry);
    try {
      http.listen(SocketAddress.inetSocketAddress(at.port(), address.getHostAddress()));
    } catch (CompletionException e) {
      http.close();
      throw cannotListen(at, e.getCause() == null ? e : e.getCause());
    }
    return http;
  }

  /**
   * Refuses an address that cannot be listened on, for a node that wants to know before it joins
   * the others.
   *
   * @throws HttpStartException with one sentence that says why
   */
  public static void requireFree(HostPort at) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address(at), at.port()));
    } catch (IOException e) {
      throw cannotListen(at, e);
    }
  }

  private static InetAddress address(HostPort at) {
    try {
      return InetAddress.getByName(at.host());
    } catch (UnknownHostException e) {
      throw new HttpStartException("the HTTP host " + at.host() + " is not known", e);
    }
  }

  private static HttpStartException cannotListen(HostPort at, Throwable cause) {
    String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return new HttpStartException(
        "cannot listen for HTTP on " + at + ": " + reason + "; choose another address with --http",
        cause);
  }

  /** The port it listens on. */
  public int port() {
    return server.actualPort();
  }

  /** Ends the event streams, so that nothing but calls under way is left. */
  public void endStreams() {
    loop.execute(events::close);
  }

  /** Stops listening, gives answers under way a moment, stops. Idempotent. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    endStreams();
    await(server.shutdown(1, TimeUnit.SECONDS).toCompletionStage().toCompletableFuture());
    await(vertx.close().toCompletionStage().toCompletableFuture());
  }

  private void listen(SocketAddress address) {
    CompletableFuture<HttpServer> listening = new CompletableFuture<>();
    loop.execute(
        () -> {
          server.requestHandler(this::receive);
          server.invalidRequestHandler(NodeHttp::refuseUnreadable);
          var unused =
              server
                  .listen(address)
                  .onSuccess(listening::complete)
                  .onFailure(listening::completeExceptionally);
          vertx.setPeriodic(SIGN_OF_LIFE_MILLIS, timer -> events.signOfLife());
          vertx.setPeriodic(SWEEP_MILLIS, timer -> handles.sweep());
        });
    server = listening.join();
  }

  private Timer.Cancellable later(Duration delay, Runnable task) {
    long timer = vertx.setTimer(delay.toMillis(), fired -> task.run());
    return () -> vertx.cancelTimer(timer);
  }

  private void receive(HttpServerRequest request) {
    Exchange.Body body = new Exchange.Body(BODY_BYTES_MAX);
    request.handler(
        part -> {
          body.add(part);
          if (body.length() > DISCARDED_BYTES_MAX) {
            var unused = request.connection().close();
          }
        });
    request.endHandler(end -> serve(request, body));
    request.exceptionHandler(brokenOff -> refuseUnreadable(request));
  }

  private void serve(HttpServerRequest request, Exchange.Body body) {
    if (request.response().ended() || request.response().closed()) {
      return;
    }
    Exchange refused = new Exchange(request, loop, List.of(), Map.of(), new byte[0]);
    try {
      access.require(request);
      List<String> path = UrlText.path(request.path() == null ? "" : request.path());
      Map<String, String> query = UrlText.query(request.query());
      Exchange exchange = new Exchange(request, loop, path, query, body.bytes());
      refused = exchange;
      routes.serve(request.method(), path, exchange);
    } catch (RuntimeException e) {
      refused.refuse(e);
    }
  }

  /** What the HTTP parser itself refuses: a malformed head, or one beyond its limits. */
  private static void refuseUnreadable(HttpServerRequest request) {
    if (request.response().ended() || request.response().closed()) {
      return;
    }
    String text =
        Wire.text(
            new ErrorView(
                "invalid", "request", "the request is malformed, or its head is too long"));
    var unused =
        request
            .response()
            .setStatusCode(400)
            .putHeader("Content-Type", "application/json; charset=utf-8")
            .putHeader("Connection", "close")
            .end(text)
            .onComplete(sent -> request.connection().close());
  }

  private static HttpServerOptions options() {
    return new HttpServerOptions()
        .setHttp2ClearTextEnabled(false)
        .setHandle100ContinueAutomatically(true)
        .setMaxInitialLineLength(REQUEST_LINE_BYTES_MAX)
        .setTcpNoDelay(true)
        .setReuseAddress(true);
  }

  private static void onLoop(Context context, Runnable task) {
    try {
      context.runOnContext(ignored -> task.run());
    } catch (RejectedExecutionException e) {
      LOG.debug("the loop has ended; a late answer of the store is dropped", e);
    }
  }

  private static void await(CompletableFuture<Void> step) {
    try {
      step.get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("the HTTP server did not stop in order", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
