package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** No callback is forgotten, whatever those before it did and however few threads there are. */
final class CallbackExecutorTest {

  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private final VirtualTime time = new VirtualTime();

  @Test
  void callbackThatFindsNoThreadRunsOnTheNextThatIsFree() {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    CompletableFuture<Void> second = new CompletableFuture<>();
    try (CallbackExecutor callbacks = callbacks(Thread::new)) {
      callbacks.execute(gate::join);
      callbacks.execute(() -> second.complete(null));
      assertThat(second).isNotDone();

      gate.complete(null);

      assertThat(second).succeedsWithin(A_MOMENT);
    }
  }

  @Test
  void callbackThatEndsWithAnErrorLetsTheNextOneRun() {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    CompletableFuture<Void> second = new CompletableFuture<>();
    try (CallbackExecutor callbacks = callbacks(Thread::new)) {
      callbacks.execute(
          () -> {
            gate.join();
            throw new AssertionError("a test's");
          });
      callbacks.execute(() -> second.complete(null));

      gate.complete(null);

      assertThat(second).succeedsWithin(A_MOMENT);
    }
  }

  @Test
  void callbackWaitsUntilTheSystemHasAThread() {
    AtomicBoolean exhausted = new AtomicBoolean(true);
    CompletableFuture<Void> done = new CompletableFuture<>();
    ThreadFactory threads =
        work -> {
          if (exhausted.get()) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return new Thread(work);
        };
    try (CallbackExecutor callbacks = callbacks(threads)) {
      callbacks.execute(() -> done.complete(null));
      time.advance(A_MOMENT);
      assertThat(done).isNotDone();

      exhausted.set(false);
      time.advance(A_MOMENT);

      assertThat(done).succeedsWithin(A_MOMENT);
    }
  }

  @Test
  void closedOneRefuses() {
    CallbackExecutor callbacks = callbacks(Thread::new);
    callbacks.close();

    assertThatThrownBy(() -> callbacks.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }

  private CallbackExecutor callbacks(ThreadFactory threads) {
    return new CallbackExecutor(
        time,
        new ThreadPoolExecutor(0, 1, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), threads));
  }
}
