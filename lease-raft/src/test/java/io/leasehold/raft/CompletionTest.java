package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who is woken by whom when a call is answered. */
final class CompletionTest {

  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ended = new AtomicInteger();
  private final Measured<String> measured = new Measured<>();
  private final Completion<String> completion =
      new Completion<>(callbacks::add, () -> {}, ended::incrementAndGet, measured);

  /** Writes down how a call has ended. */
  private static final class Measured<T> implements Completion.Measure<T> {

    final Queue<String> ends = new ConcurrentLinkedQueue<>();

    @Override
    public void answered(@Nullable T value, @Nullable Throwable failure) {
      ends.add(String.valueOf(failure == null ? value : failure.getMessage()));
    }

    @Override
    public void endedByOwner() {
      ends.add("by its owner");
    }
  }

  /** How a caller waits. */
  private enum Waiting {
    GET {
      @Override
      String forResult(CompletableFuture<String> future) throws Exception {
        return future.get();
      }
    },
    TIMED_GET {
      @Override
      String forResult(CompletableFuture<String> future) throws Exception {
        return future.get(1, TimeUnit.HOURS);
      }
    },
    JOIN {
      @Override
      String forResult(CompletableFuture<String> future) {
        return future.join();
      }
    };

    abstract String forResult(CompletableFuture<String> future) throws Exception;
  }

  @ParameterizedTest
  @EnumSource(Waiting.class)
  void callerThatWaitsNeedsNoCallbackThread(Waiting waiting) throws Exception {
    FutureTask<String> caller = waits(() -> waiting.forResult(completion));

    completion.answer("yes");

    assertThat(caller.get(10, TimeUnit.SECONDS)).isEqualTo("yes");
    assertThat(callbacks).isEmpty();
    assertThat(ended).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource(Waiting.class)
  void callerThatWaitsIsToldOfAFailure(Waiting waiting) throws Exception {
    FutureTask<String> caller = waits(() -> waiting.forResult(completion));

    completion.fail(new IllegalStateException("a test's"));

    assertThatThrownBy(() -> caller.get(10, TimeUnit.SECONDS)).hasRootCauseMessage("a test's");
    assertThat(callbacks).isEmpty();
  }

  @Test
  void stagesRunOnTheCallbackExecutorAndNowhereElse() throws Exception {
    CompletableFuture<String> stage = completion.thenApply(answer -> answer + "!");
    FutureTask<String> caller = waits(completion::get);

    completion.answer("yes");
    await().atMost(LIMIT).until(() -> !callbacks.isEmpty());
    assertThat(stage).isNotDone();
    callbacks.remove().run();

    assertThat(stage).succeedsWithin(LIMIT).isEqualTo("yes!");
    assertThat(caller.get(10, TimeUnit.SECONDS)).isEqualTo("yes");
  }

  /** As in a callback on an executor of one thread, which its completion waits behind. */
  @ParameterizedTest
  @EnumSource(Waiting.class)
  void callerThatComesAfterTheAnswerWaitsForNoCallbackThread(Waiting waiting) throws Exception {
    completion.answer("yes");

    FutureTask<String> caller = new FutureTask<>(() -> waiting.forResult(completion));
    new Thread(caller).start();

    assertThat(caller.get(10, TimeUnit.SECONDS)).isEqualTo("yes");
  }

  @Test
  void nobodyWaitsAndItIsCompletedOnTheCallbackExecutor() {
    completion.answer("yes");
    assertThat(completion).isNotDone();

    callbacks.remove().run();

    assertThat(completion).isCompletedWithValue("yes");
  }

  @Test
  void callerThatHasStoppedWaitingIsNotReliedOn() throws Exception {
    assertThatThrownBy(() -> completion.get(1, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    FutureTask<String> caller = new FutureTask<>(completion::get);
    Thread interrupted = new Thread(caller);
    interrupted.start();
    interrupted.interrupt();
    assertThatThrownBy(() -> caller.get(10, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InterruptedException.class);

    completion.answer("yes");
    callbacks.remove().run();

    assertThat(completion.get(0, TimeUnit.SECONDS)).isEqualTo("yes");
  }

  @Test
  void joinGoesOnAfterAnInterruptAndKeepsIt() throws Exception {
    AtomicBoolean kept = new AtomicBoolean();
    FutureTask<String> caller =
        new FutureTask<>(
            () -> {
              String answer = completion.join();
              kept.set(Thread.currentThread().isInterrupted());
              return answer;
            });
    Thread thread = new Thread(caller);
    thread.start();
    thread.interrupt();
    await().atMost(LIMIT).until(() -> isParked(thread) && !thread.isInterrupted());

    completion.answer("yes");

    assertThat(caller.get(10, TimeUnit.SECONDS)).isEqualTo("yes");
    assertThat(kept).isTrue();
  }

  @Test
  void answerThatComesAfterItsOwnerHasEndedItIsToldSo() throws Exception {
    FutureTask<String> caller = waits(completion::get);

    assertThat(completion.cancel(true)).isTrue();
    assertThatThrownBy(() -> caller.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(CancellationException.class);
    assertThat(ended).hasValue(1);

    AtomicInteger tooLate = new AtomicInteger();
    completion.answer("yes", tooLate::incrementAndGet);
    callbacks.remove().run();
    assertThat(tooLate).hasValue(1);
    assertThat(completion).isCancelled();
  }

  @Test
  void firstOfTwoAnswersCounts() {
    AtomicInteger tooLate = new AtomicInteger();

    completion.answer("first");
    completion.answer("second", tooLate::incrementAndGet);
    while (!callbacks.isEmpty()) {
      callbacks.remove().run();
    }

    assertThat(completion).isCompletedWithValue("first");
    assertThat(tooLate).hasValue(1);
  }

  /** Ways in which an owner may end it. */
  private enum Ending {
    COMPLETE {
      @Override
      void end(CompletableFuture<String> future) {
        future.complete("own");
      }
    },
    FAIL {
      @Override
      void end(CompletableFuture<String> future) {
        future.completeExceptionally(new IllegalStateException("own"));
      }
    },
    COMPLETE_ASYNC {
      @Override
      void end(CompletableFuture<String> future) {
        future.completeAsync(() -> "own");
      }
    },
    COMPLETE_ON_TIMEOUT {
      @Override
      void end(CompletableFuture<String> future) {
        future.completeOnTimeout("own", 1, TimeUnit.MILLISECONDS);
      }
    },
    FAIL_ON_TIMEOUT {
      @Override
      void end(CompletableFuture<String> future) {
        future.orTimeout(1, TimeUnit.MILLISECONDS);
      }
    },
    OBTRUDE {
      @Override
      void end(CompletableFuture<String> future) {
        future.obtrudeValue("own");
      }
    };

    abstract void end(CompletableFuture<String> future);
  }

  @ParameterizedTest
  @EnumSource(Ending.class)
  void callerThatWaitsIsWokenHoweverItEnds(Ending ending) throws Exception {
    FutureTask<String> caller = waits(completion::get);

    ending.end(completion);

    await().atMost(LIMIT).until(caller::isDone);
    assertThat(completion).isDone();
    assertThat(ended).hasValue(ending == Ending.OBTRUDE ? 0 : 1);
  }

  /** No answer is lost, whatever the moment at which a caller begins or stops to wait. */
  @Test
  void waitingAndAnsweringRace() throws Exception {
    List<FutureTask<String>> callers = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      int nanos = i * 100;
      Completion<String> raced =
          new Completion<>(Runnable::run, () -> {}, () -> {}, new Measured<>());
      FutureTask<String> caller =
          new FutureTask<>(
              () -> {
                try {
                  return raced.get(nanos, TimeUnit.NANOSECONDS);
                } catch (TimeoutException e) {
                  return raced.get();
                }
              });
      callers.add(caller);
      new Thread(caller).start();
      raced.answer("yes");
    }

    for (FutureTask<String> caller : callers) {
      assertThat(caller.get(10, TimeUnit.SECONDS)).isEqualTo("yes");
    }
  }

  /** The one who stops waiting must not be relied on, whatever else depends on the answer. */
  @Test
  void stoppingToWaitAndAnsweringRace() throws Exception {
    List<CompletableFuture<String>> stages = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      int nanos = i * 20;
      Completion<String> raced =
          new Completion<>(Runnable::run, () -> {}, () -> {}, new Measured<>());
      stages.add(raced.thenApply(answer -> answer + "!"));
      CountDownLatch begun = new CountDownLatch(1);
      FutureTask<Boolean> caller =
          new FutureTask<>(
              () -> {
                begun.countDown();
                try {
                  return raced.get(nanos, TimeUnit.NANOSECONDS).equals("yes");
                } catch (TimeoutException e) {
                  return false;
                }
              });
      new Thread(caller).start();
      begun.await();
      raced.answer("yes");
    }

    for (CompletableFuture<String> stage : stages) {
      assertThat(stage.get(10, TimeUnit.SECONDS)).isEqualTo("yes!");
    }
  }

  /** Returns a caller on a thread of its own, once it waits. */
  private static FutureTask<String> waits(Callable<String> call) {
    FutureTask<String> caller = new FutureTask<>(call);
    Thread thread = new Thread(caller);
    thread.start();
    await().atMost(LIMIT).until(() -> isParked(thread));
    return caller;
  }

  private static boolean isParked(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  @Test
  void measuresEachEndOnce() {
    completion.answer("yes");
    runCallbacks();
    completion.fail(new IllegalStateException("late"));
    completion.cancel(true);
    runCallbacks();
    assertThat(measured.ends).containsExactly("yes");

    Measured<String> ofCancelled = new Measured<>();
    Completion<String> cancelled =
        new Completion<>(callbacks::add, () -> {}, () -> {}, ofCancelled);
    cancelled.cancel(true);
    cancelled.answer("too late");
    runCallbacks();
    assertThat(ofCancelled.ends).containsExactly("by its owner");
  }

  private void runCallbacks() {
    for (Runnable due = callbacks.poll(); due != null; due = callbacks.poll()) {
      due.run();
    }
  }
}
