package io.leasehold.raft;

import io.leasehold.store.StoreStatus;
import io.leasehold.time.DurationText;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether a node can serve: whether a majority answers it now. That a leader is known is not
 * enough, for one that was cut off takes itself for the leader for a while. A probe under way is
 * shared, so that many who ask cost no more than one. Safe for many threads.
 */
final class HealthCheck {

  private final Supplier<StoreStatus> status;
  private final Supplier<? extends CompletionStage<?>> question;
  private final Timer timer;
  private final Duration limit;
  private final AtomicReference<@Nullable CompletableFuture<Optional<String>>> underWay =
      new AtomicReference<>();

  /**
   * @param question asks what only a majority can answer
   * @param limit after which there is no answer
   */
  HealthCheck(
      Supplier<StoreStatus> status,
      Supplier<? extends CompletionStage<?>> question,
      Timer timer,
      Duration limit) {
    this.status = status;
    this.question = question;
    this.timer = timer;
    this.limit = limit;
  }

  /** Completes within the limit, on whichever thread has the answer; never fails. */
  CompletionStage<NodeHealth> look() {
    NodeHealth before = NodeHealth.of(status.get());
    if (!before.serves()) {
      return CompletableFuture.completedFuture(before);
    }
    return probe()
        .thenApply(
            silence ->
                silence
                    .map(why -> NodeHealth.notServing(why, status.get()))
                    .orElseGet(() -> NodeHealth.of(status.get())));
  }

  /** Completes with why nobody has answered; with nothing if a majority has. */
  private CompletableFuture<Optional<String>> probe() {
    CompletableFuture<Optional<String>> mine = new CompletableFuture<>();
    while (true) {
      CompletableFuture<Optional<String>> running = underWay.get();
      if (running != null && !running.isDone()) {
        return running;
      }
      if (underWay.compareAndSet(running, mine)) {
        begin(mine);
        return mine;
      }
    }
  }

  private void begin(CompletableFuture<Optional<String>> probe) {
    Timer.Cancellable timeout =
        timer.schedule(
            limit,
            () ->
                probe.complete(
                    Optional.of(
                        "no majority has answered within %s: see that most members run and can be reached"
                            .formatted(DurationText.of(limit)))));
    var unused =
        question
            .get()
            .whenComplete(
                (answer, failure) -> {
                  timeout.cancel();
                  probe.complete(
                      failure == null ? Optional.empty() : Optional.of(sentence(failure)));
                });
  }

  private static String sentence(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return String.valueOf((cause == null ? failure : cause).getMessage());
  }
}
