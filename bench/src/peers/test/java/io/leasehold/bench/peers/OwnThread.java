package io.leasehold.bench.peers;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** A contender whose every call is made by a thread of its own, for locks that threads own. */
record OwnThread(NumberedContender contender, ExecutorService thread) implements NumberedContender {

  static OwnThread of(NumberedContender contender) {
    return new OwnThread(
        contender,
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "owner");
              thread.setDaemon(true);
              return thread;
            }));
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return there(contender::acquire);
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    return there(() -> contender.acquire(maxWait));
  }

  @Override
  public CompletionStage<Boolean> confirm() {
    return there(contender::confirm);
  }

  @Override
  public CompletionStage<?> release() {
    return there(contender::release);
  }

  @Override
  public long number() {
    return contender.number();
  }

  private <T> CompletionStage<T> there(Supplier<CompletionStage<T>> call) {
    return CompletableFuture.supplyAsync(call, thread).thenCompose(answer -> answer);
  }
}
