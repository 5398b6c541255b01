package io.leasehold.harness.http;

import io.leasehold.harness.wire.Wire;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One call: what was asked, and the one answer to it. Confined to the loop. */
public final class Exchange {

  private static final String JSON = "application/json; charset=utf-8";

  private final HttpServerRequest request;
  private final Executor loop;
  private final List<String> path;
  private final Map<String, String> query;
  private final byte[] body;
  private final List<Runnable> whenGone = new ArrayList<>();
  private boolean gone;

  public Exchange(
      HttpServerRequest request,
      Executor loop,
      List<String> path,
      Map<String, String> query,
      byte[] body) {
    this.request = request;
    this.loop = loop;
    this.path = path;
    this.query = query;
    this.body = body;
    this.gone = request.response().closed();
    request.response().closeHandler(closed -> callerHungUp());
  }

  /** The name of the lease, or the member, that the call is about. */
  String name() {
    return path.get(1);
  }

  /** The fields of the body, which may have the known ones and no other. */
  public RequestFields fields(String... known) {
    return RequestFields.of(body, Set.of(known));
  }

  /** The fields of the query, which may have the known ones and no other. */
  public Map<String, String> query(String... known) {
    Set<String> names = new TreeSet<>(Set.of(known));
    for (String name : query.keySet()) {
      if (!names.contains(name)) {
        throw Refusal.invalid(
            name,
            names.isEmpty()
                ? "there is no query here"
                : "there is no such field in the query; there are " + names);
      }
    }
    return query;
  }

  /** Whether the caller has hung up, so that no answer reaches it. */
  boolean isGone() {
    return gone;
  }

  /** Has a task run, on the loop, if the caller hangs up before it was answered. */
  public void whenGone(Runnable task) {
    if (gone) {
      task.run();
    } else {
      whenGone.add(task);
    }
  }

  /** Goes on with a stage's outcome on the loop. */
  public <T> void then(
      CompletionStage<T> stage, BiConsumer<@Nullable T, @Nullable Throwable> next) {
    var unused =
        stage.whenComplete((value, failure) -> loop.execute(() -> run(next, value, failure)));
  }

  /** Answers with JSON. */
  public void answer(Object view) {
    answer(200, JSON, Wire.text(view));
  }

  /** Answers with text of another type. */
  public void answer(int status, String contentType, String text) {
    if (gone || response().ended()) {
      return;
    }
    var unused =
        response()
            .setStatusCode(status)
            .putHeader("Content-Type", contentType)
            .putHeader("Cache-Control", "no-store")
            .end(text);
  }

  /**
   * Answers with what is in a file.
   *
   * @param sent run when that has been sent or has failed
   */
  public void answer(Path file, String contentType, Runnable sent) {
    if (gone || response().ended()) {
      sent.run();
      return;
    }
    var unused =
        response()
            .putHeader("Content-Type", contentType)
            .putHeader("Cache-Control", "no-store")
            .sendFile(file.toString())
            .onComplete(done -> sent.run());
  }

  /** Answers with a refusal. */
  public void refuse(Throwable failure) {
    Refusal refusal = Refusal.of(failure);
    answer(refusal.status(), JSON, Wire.text(refusal.view()));
  }

  /** Says in the answer which methods there are. */
  public void allow(Set<String> methods) {
    response().putHeader("Allow", String.join(", ", new TreeSet<>(methods)));
  }

  /** The response, for an endpoint that streams. */
  public HttpServerResponse response() {
    return request.response();
  }

  private <T> void run(
      BiConsumer<@Nullable T, @Nullable Throwable> next,
      @Nullable T value,
      @Nullable Throwable failure) {
    try {
      next.accept(value, failure);
    } catch (RuntimeException e) {
      refuse(e);
    }
  }

  private void callerHungUp() {
    if (gone) {
      return;
    }
    gone = true;
    whenGone.forEach(Runnable::run);
    whenGone.clear();
  }

  /** Reads a body up to a limit; keeps nothing of a longer one. */
  public static final class Body {

    private final int bytesMax;
    private Buffer bytes = Buffer.buffer();
    private long length;

    public Body(int bytesMax) {
      this.bytesMax = bytesMax;
    }

    public void add(Buffer part) {
      length += part.length();
      bytes = length <= bytesMax ? bytes.appendBuffer(part) : Buffer.buffer();
    }

    public long length() {
      return length;
    }

    public byte[] bytes() {
      if (length > bytesMax) {
        throw Refusal.invalid(413, "body", "body must have at most " + bytesMax + " bytes");
      }
      return bytes.getBytes();
    }
  }
}
