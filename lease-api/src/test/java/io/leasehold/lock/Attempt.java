package io.leasehold.lock;

import static java.util.Objects.requireNonNullElse;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;

/** Something that is done on a thread of its own, which may be interrupted. */
record Attempt(Thread thread, CompletableFuture<Void> end) {

  /** Work that may throw anything. */
  interface Work {
    void run() throws Exception;
  }

  static Attempt of(Work work) {
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
                end.complete(null);
              } catch (Throwable failure) {
                end.completeExceptionally(failure);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return new Attempt(thread, end);
  }

  /** Waits for its end, which has to be a good one. */
  void await() {
    assertThat(end).succeedsWithin(Duration.ofSeconds(10));
  }

  /** Waits for its end, and returns what it threw. */
  Throwable failure() {
    Awaitility.await("its end").pollInterval(Duration.ofMillis(2)).until(end::isDone);
    return end.handle(
            (nothing, failure) ->
                requireNonNullElse(failure, new AssertionError("it threw nothing")))
        .join();
  }
}
