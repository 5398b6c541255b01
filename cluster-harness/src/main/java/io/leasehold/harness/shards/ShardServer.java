package io.leasehold.harness.shards;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.wire.Wire;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionStage;

/**
 * A node's HTTP interface, for clients ({@code /request}) and for the other nodes. 200 with JSON is
 * an answer, 503 with a sentence a rejection. Runs on one event loop.
 */
final class ShardServer implements AutoCloseable {

  private static final VertxOptions OPTIONS =
      new VertxOptions()
          .setEventLoopPoolSize(1)
          .setFileSystemOptions(
              new FileSystemOptions()
                  .setFileCachingEnabled(false)
                  .setClassPathResolvingEnabled(false));

  private final Vertx vertx = Vertx.vertx(OPTIONS);
  private final HostPort at;
  private final ShardNode node;

  private ShardServer(HostPort at, ShardNode node) {
    this.at = at;
    this.node = node;
  }

  /** Starts to listen; returns when it does. */
  static ShardServer start(HostPort at, ShardNode node) {
    ShardServer server = new ShardServer(at, node);
    server
        .vertx
        .createHttpServer()
        .requestHandler(server::receive)
        .listen(at.port(), at.host())
        .toCompletionStage()
        .toCompletableFuture()
        .join();
    return server;
  }

  /** Where it listens. */
  HostPort at() {
    return at;
  }

  private void receive(HttpServerRequest request) {
    Context loop = vertx.getOrCreateContext();
    var unused =
        request
            .body()
            .toCompletionStage()
            .thenCompose(body -> serve(request.path(), body.toString()))
            .whenComplete(
                (answer, failure) ->
                    loop.runOnContext(
                        ready -> {
                          if (failure == null) {
                            answer(request, 200, Wire.text(answer));
                          } else {
                            answer(request, 503, RequestRejectedException.reason(failure));
                          }
                        }));
  }

  private CompletionStage<?> serve(String path, String body) {
    return switch (path) {
      case "/request" -> node.request(body);
      case "/request-here" -> node.requestHere(body);
      case "/take-over" -> node.takeOver(Long.parseLong(body));
      case "/allocate" -> node.accept(Wire.read(body, Allocation.class));
      case "/leader" -> node.leader().thenApply(leader -> leader.orElse(""));
      default -> throw new IllegalArgumentException("there is no " + path);
    };
  }

  private static void answer(HttpServerRequest request, int status, String text) {
    var unused = request.response().setStatusCode(status).end(text);
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
