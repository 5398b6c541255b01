package io.leasehold.bench.peers;

import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** What one owner of one node has of one lease of a peer. Safe for many threads. */
final class PeerHold {

  private static final long NONE = 0;
  private static final Executor SOON = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

  private final LeaseSettings settings;
  private final NumberedContender contender;
  private final List<Consumer<LeaseLost>> handlers = new CopyOnWriteArrayList<>();
  private final AtomicLong token = new AtomicLong(NONE);
  private volatile boolean closed;

  /**
   * @param settings with which it is told of losses
   */
  PeerHold(LeaseSettings settings, NumberedContender contender) {
    this.settings = settings;
    this.contender = contender;
  }

  OptionalLong token() {
    long current = token.get();
    return current == NONE ? OptionalLong.empty() : OptionalLong.of(current);
  }

  CompletionStage<Boolean> acquire() {
    if (closed) {
      return CompletableFuture.failedFuture(new LeaseUnavailableException("the node is closed"));
    }
    CompletionStage<Boolean> answer =
        token.get() == NONE ? contender.acquire() : contender.confirm();
    return answer.handle(
        (granted, failure) -> {
          if (failure != null) {
            throw unknown(failure);
          }
          token.set(granted ? contender.number() : NONE);
          return granted;
        });
  }

  /** Asks until the wait is over, for the fastest way of most peers has no queue. */
  CompletionStage<Boolean> acquire(Duration maxWait) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    poll(answer, System.nanoTime(), maxWait);
    return answer;
  }

  private void poll(CompletableFuture<Boolean> answer, long start, Duration maxWait) {
    acquire()
        .whenComplete(
            (granted, failure) -> {
              if (failure != null) {
                answer.completeExceptionally(failure);
              } else if (granted
                  || Duration.ofNanos(System.nanoTime() - start).compareTo(maxWait) >= 0) {
                answer.complete(granted);
              } else if (!answer.isCancelled()) {
                SOON.execute(() -> poll(answer, start, maxWait));
              }
            });
  }

  CompletionStage<Void> release() {
    if (token.getAndSet(NONE) == NONE || closed) {
      return CompletableFuture.completedFuture(null);
    }
    return contender
        .release()
        .handle(
            (nothing, failure) -> {
              if (failure != null) {
                throw unknown(failure);
              }
              return null;
            });
  }

  /** No peer says of a failure whether the request may have had an effect. */
  private static LeaseIndeterminateException unknown(Throwable failure) {
    return new LeaseIndeterminateException("the peer failed", failure);
  }

  Subscription onLost(Consumer<LeaseLost> handler) {
    handlers.add(handler);
    return () -> handlers.remove(handler);
  }

  /** The peer's client takes it for lost. */
  void lose() {
    long lost = token.getAndSet(NONE);
    if (lost != NONE) {
      LeaseLost news =
          new LeaseLost(
              settings.name(),
              settings.owner(),
              lost,
              LeaseLost.Reason.UNREACHABLE,
              "the peer's client says so");
      handlers.forEach(handler -> handler.accept(news));
    }
  }

  void close() {
    closed = true;
    token.set(NONE);
  }
}
