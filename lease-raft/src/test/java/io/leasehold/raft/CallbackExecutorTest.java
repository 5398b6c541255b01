package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
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
  void callbackThatBlocksHoldsUpNoOther() {
    CompletableFuture<Void> gate = new CompletableFuture<>();
    List<CompletableFuture<Void>> others = new ArrayList<>();
    try (CallbackExecutor callbacks = new CallbackExecutor("n1", time)) {
      for (int i = 0; i < 100; i++) {
        CompletableFuture<Void> other = new CompletableFuture<>();
        others.add(other);
        callbacks.execute(gate::join);
        callbacks.execute(() -> other.complete(null));
      }

      others.forEach(other -> assertThat(other).succeedsWithin(A_MOMENT));

      gate.complete(null);
    }
  }

  @Test
  void callbacksThatAreManyShareThreads() {
    AtomicInteger threads = new AtomicInteger();
    ThreadFactory counting =
        work -> {
          threads.incrementAndGet();
          return new Thread(work);
        };
    CountDownLatch all = new CountDownLatch(10_000);
    try (CallbackExecutor callbacks = callbacks(256, counting)) {
      for (int i = 0; i < 10_000; i++) {
        callbacks.execute(all::countDown);
      }

      assertThat(all).satisfies(done -> assertThat(done.await(10, TimeUnit.SECONDS)).isTrue());
      assertThat(threads).hasValueLessThan(64);
    }
  }

  @Test
  void closedOneRefuses() {
    CallbackExecutor callbacks = callbacks(Thread::new);
    callbacks.close();

    assertThatThrownBy(() -> callbacks.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void closingLeavesNoCallbackThatWasTaken() throws Exception {
    for (int round = 0; round < 200; round++) {
      CallbackExecutor callbacks = callbacks(4, Thread::new);
      AtomicInteger taken = new AtomicInteger();
      AtomicInteger ran = new AtomicInteger();
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Thread caller =
            new Thread(
                () -> {
                  try {
                    while (true) {
                      callbacks.execute(ran::incrementAndGet);
                      taken.incrementAndGet();
                    }
                  } catch (RejectedExecutionException closed) {
                    return;
                  }
                });
        callers.add(caller);
        caller.start();
      }
      awaitSoon().until(() -> taken.get() > 0);
      callbacks.close();
      for (Thread caller : callers) {
        caller.join();
      }

      awaitSoon().atMost(A_MOMENT).until(() -> ran.get() == taken.get());
    }
  }

  /** Rounds are many, and each is over in an instant. */
  private static ConditionFactory awaitSoon() {
    return await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1));
  }

  private CallbackExecutor callbacks(ThreadFactory threads) {
    return callbacks(1, threads);
  }

  private CallbackExecutor callbacks(int threadsMax, ThreadFactory threads) {
    return new CallbackExecutor(
        time,
        new ThreadPoolExecutor(
            0, threadsMax, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), threads));
  }
}
