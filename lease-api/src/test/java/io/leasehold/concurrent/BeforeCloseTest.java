package io.leasehold.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class BeforeCloseTest {

  private final BeforeClose beforeClose = new BeforeClose();
  private final List<String> stopped = new ArrayList<>();

  private Supplier<CompletionStage<?>> work(String name) {
    return () -> {
      stopped.add(name);
      return CompletableFuture.completedFuture(null);
    };
  }

  @Test
  void allOfItIsStoppedOnce() {
    Subscription unusedFirst = beforeClose.add(work("a"));
    Subscription unusedSecond = beforeClose.add(work("b"));

    beforeClose.run();
    beforeClose.run();

    assertThat(stopped).containsExactly("a", "b");
  }

  @Test
  void workThatIsOverIsNotStoppedAndAnEqualOneIs() {
    Supplier<CompletionStage<?>> shared = work("shared");
    Subscription first = beforeClose.add(shared);
    Subscription unusedSecond = beforeClose.add(shared);

    first.close();
    first.close();
    beforeClose.run();

    assertThat(stopped).containsExactly("shared");
  }

  @Test
  void failureToStopDisturbsNoOther() {
    Subscription unusedThrowing =
        beforeClose.add(
            () -> {
              throw new IllegalStateException("it throws");
            });
    Subscription unusedFailing =
        beforeClose.add(
            () -> CompletableFuture.failedFuture(new IllegalStateException("it fails")));
    Subscription unusedSound = beforeClose.add(work("sound"));

    beforeClose.run();

    assertThat(stopped).containsExactly("sound");
  }

  @Test
  void errorOfAnActionDisturbsNoOther() {
    Subscription unusedThrowing =
        beforeClose.add(
            () -> {
              throw new NoClassDefFoundError("a test's");
            });
    Subscription unusedSound = beforeClose.add(work("sound"));

    beforeClose.run();

    assertThat(stopped).containsExactly("sound");
  }

  @Test
  void secondCallerWaitsForTheSameWork() {
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Subscription unusedWork = beforeClose.add(() -> ended);

    CompletableFuture<Void> first = beforeClose.begin();
    CompletableFuture<Void> second = beforeClose.begin();

    assertThat(second).isNotDone();
    ended.complete(null);
    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
  }

  @Test
  void workThatComesLateIsStoppedAtOnce() {
    beforeClose.run();

    Subscription unusedLate = beforeClose.add(work("late"));

    assertThat(stopped).containsExactly("late");
  }

  @Test
  void longestTtlLimitsTheWaitForWorkThatNeverStops() {
    beforeClose.allow(Duration.ofMillis(20));
    beforeClose.allow(Duration.ofMillis(10));
    Subscription unusedEndless = beforeClose.add(CompletableFuture::new);

    beforeClose.run(); // returns

    assertThat(beforeClose.limit()).isEqualTo(Duration.ofMillis(20));
  }

  @Test
  void workIsWaitedForOnAnInterruptedThreadWhichStaysInterrupted() {
    beforeClose.allow(Duration.ofMinutes(1));
    CompletableFuture<Void> ended = new CompletableFuture<>();
    Subscription unusedWork =
        beforeClose.add(
            () -> {
              Thread ending = new Thread(() -> ended.complete(null));
              ending.start();
              return ended;
            });

    Thread.currentThread().interrupt();
    beforeClose.run();
    boolean stillInterrupted = Thread.interrupted();

    assertThat(ended).isCompleted();
    assertThat(stillInterrupted).isTrue();
  }
}
