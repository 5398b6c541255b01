package io.leasehold.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ExecutorTimerTest {

  private final ExecutorTimer timer = new ExecutorTimer("timer-of-the-test");

  @AfterEach
  void close() {
    timer.close();
  }

  @Test
  void runsTasksOnItsOneDaemonThreadNotBeforeTheirDelay() {
    long start = System.nanoTime();
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    Timer.Cancellable unusedTask =
        timer.schedule(Duration.ofMillis(20), () -> ran.complete(Thread.currentThread()));

    Thread thread = ran.orTimeout(10, TimeUnit.SECONDS).join();

    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000);
    assertThat(thread.getName()).isEqualTo("timer-of-the-test");
    assertThat(thread.isDaemon()).isTrue();
  }

  @Test
  void taskThatFailsDoesNotEndTheTimer() {
    CompletableFuture<Boolean> ran = new CompletableFuture<>();
    Timer.Cancellable unusedFailure =
        timer.schedule(
            Duration.ZERO,
            () -> {
              throw new IllegalStateException("a task of the test fails");
            });
    Timer.Cancellable unusedTask = timer.schedule(Duration.ZERO, () -> ran.complete(true));

    assertThat(ran.orTimeout(10, TimeUnit.SECONDS).join()).isTrue();
  }

  @Test
  void cancelledTaskDoesNotRun() {
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    Timer.Cancellable task = timer.schedule(Duration.ofMillis(50), () -> cancelled.complete(true));
    Timer.Cancellable unusedTask =
        timer.schedule(Duration.ofMillis(100), () -> later.complete(true));

    task.cancel();
    later.orTimeout(10, TimeUnit.SECONDS).join();

    assertThat(cancelled).isNotDone();
  }

  @Test
  void closedTimerTakesTasksAndRunsNone() {
    timer.close();

    Timer.Cancellable task =
        timer.schedule(
            Duration.ZERO,
            () -> {
              throw new IllegalStateException("a closed timer ran a task");
            });

    task.cancel();
    timer.close();
  }
}
