package io.leasehold.harness.up;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.http.Exchange;
import io.leasehold.harness.http.HttpStartException;
import io.leasehold.harness.http.Refusal;
import io.leasehold.harness.http.UrlText;
import io.leasehold.time.Timer;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The server of the page: the page's files, one stream of what it shows, and what its buttons do.
 * The browser talks to nobody else. Safe for many threads.
 */
final class PageHttp implements AutoCloseable {

  private static final int BODY_BYTES_MAX = 16 * 1024;
  private static final int CLOSE_SECONDS_MAX = 2;

  /** Nothing from elsewhere, nothing inline, in nobody's frame. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** A report is a page of its own with its script inside: it may run, but not as this page. */
  private static final String POLICY_OF_REPORTS =
      "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src"
          + " 'unsafe-inline'; img-src data:";

  private final Vertx vertx;
  private final ExecutorService control;
  private final Executor loop;
  private final PageAssets assets = PageAssets.load();
  private final PageStreams streams;
  private final Overview overview;
  private final PageActions actions;
  private final Reports reports;
  private final HttpServer server;
  private volatile PageGuard guard = new PageGuard(0);

  private PageHttp(Vertx vertx, Playground playground, Reports reports) {
    this.vertx = vertx;
    this.reports = reports;
    Context context = vertx.getOrCreateContext();
    this.loop = task -> onLoop(context, task);
    this.control =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "up-control");
              thread.setDaemon(true);
              return thread;
            });
    Waits waits = new Waits();
    this.streams = new PageStreams(this::later);
    this.overview =
        new Overview(
            playground,
            loop,
            this::later,
            waits,
            new History(System::currentTimeMillis),
            this::changed);
    Load load = new Load(playground, loop, this::later);
    this.actions = new PageActions(playground, overview, waits, load, loop, control, this::later);
    this.server =
        vertx.createHttpServer(
            new HttpServerOptions().setHttp2ClearTextEnabled(false).setReuseAddress(true));
  }

  private void changed() {
    streams.changed(overview);
  }

  /**
   * Starts to listen.
   *
   * @throws HttpStartException when it cannot listen there, with one sentence that says why
   */
  static PageHttp start(HostPort at, Playground playground, Reports reports) {
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
    PageHttp http = new PageHttp(vertx, playground, reports);
    try {
      http.listen(at);
      return http;
    } catch (CompletionException e) {
      http.close();
      String reason =
          e.getCause() == null ? e.toString() : String.valueOf(e.getCause().getMessage());
      throw new HttpStartException("cannot listen for the page on " + at + ": " + reason, e);
    }
  }

  private void listen(HostPort at) {
    CompletableFuture<HttpServer> listening = new CompletableFuture<>();
    loop.execute(
        () -> {
          server.requestHandler(this::receive);
          var unused =
              server
                  .listen(at.port(), at.host())
                  .onSuccess(listening::complete)
                  .onFailure(listening::completeExceptionally);
        });
    guard = new PageGuard(listening.join().actualPort());
    loop.execute(overview::tick);
  }

  /** The port it listens on. */
  int port() {
    return server.actualPort();
  }

  private void receive(HttpServerRequest request) {
    Exchange.Body body = new Exchange.Body(BODY_BYTES_MAX);
    request.handler(
        part -> {
          body.add(part);
          if (body.length() > BODY_BYTES_MAX) {
            var unused = request.connection().close();
          }
        });
    request.endHandler(end -> serve(request, body));
  }

  private void serve(HttpServerRequest request, Exchange.Body body) {
    request
        .response()
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("Cross-Origin-Opener-Policy", "same-origin")
        .putHeader("Cross-Origin-Resource-Policy", "same-origin");
    Exchange refused = new Exchange(request, loop, List.of(), Map.of(), new byte[0]);
    try {
      List<String> path = UrlText.path(request.path() == null ? "" : request.path());
      Map<String, String> query = UrlText.query(request.query());
      Exchange exchange = new Exchange(request, loop, path, query, body.bytes());
      refused = exchange;
      boolean isChange = !request.method().equals(HttpMethod.GET);
      Optional<String> fault =
          guard.fault(
              isChange,
              request.getHeader("Host"),
              request.getHeader("Origin"),
              request.getHeader("Sec-Fetch-Site"),
              request.getHeader("Content-Type"));
      if (fault.isPresent()) {
        throw Refusal.invalid(403, "request", fault.get());
      }
      if (!isChange) {
        show(path, exchange);
      } else if (request.method().equals(HttpMethod.POST)) {
        change(path, exchange);
      } else {
        throw Refusal.invalid(405, "method", "method must be GET or POST");
      }
    } catch (RuntimeException e) {
      refused.refuse(e);
    }
  }

  private void show(List<String> path, Exchange exchange) {
    String first = path.get(0);
    if (path.size() == 1 && first.equals("stream")) {
      streams.open(exchange, overview);
    } else if (path.size() == 1 && first.equals("reports")) {
      exchange.then(
          CompletableFuture.supplyAsync(reports::list, control),
          (links, failure) -> exchange.answer(links == null ? List.of() : links));
    } else if (path.size() == 2 && first.equals("reports")) {
      report(path.get(1), exchange);
    } else {
      PageAssets.Asset asset =
          Optional.of(path)
              .filter(names -> names.size() == 1)
              .flatMap(names -> assets.find(first))
              .orElseThrow(() -> Refusal.invalid(404, "path", "there is no such page"));
      exchange.answer(200, asset.type(), asset.text());
    }
  }

  private void report(String name, Exchange exchange) {
    exchange.then(
        CompletableFuture.supplyAsync(() -> reports.file(name), control),
        (file, failure) -> {
          if (file == null || file.isEmpty()) {
            throw Refusal.invalid(404, "report", "there is no such report");
          }
          exchange.response().putHeader("Content-Security-Policy", POLICY_OF_REPORTS);
          exchange.answer(file.get(), "text/html; charset=utf-8", () -> {});
        });
  }

  private void change(List<String> path, Exchange exchange) {
    exchange.query();
    if (path.size() == 3 && path.get(0).equals("nodes")) {
      actions.node(exchange, path.get(1), path.get(2));
      return;
    }
    PageActions.Action action = path.size() == 1 ? actions.all().get(path.get(0)) : null;
    if (action == null) {
      throw Refusal.invalid(404, "path", "there is nothing of that name to do");
    }
    action.serve(exchange);
  }

  private Timer.Cancellable later(Duration delay, Runnable task) {
    long timer = vertx.setTimer(delay.toMillis(), fired -> task.run());
    return () -> vertx.cancelTimer(timer);
  }

  private static void onLoop(Context context, Runnable task) {
    try {
      context.runOnContext(ignored -> task.run());
    } catch (RejectedExecutionException e) {
      // The server has ended; nobody is left to be told.
    }
  }

  /** Stops listening and ends all streams. Idempotent. */
  @Override
  public void close() {
    loop.execute(streams::close);
    try {
      vertx
          .close()
          .toCompletionStage()
          .toCompletableFuture()
          .get(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      // The process ends anyway.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    control.shutdown();
  }
}
