package io.leasehold.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.leasehold.LeaseUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class OpenLoopTest {

  /** Arrivals are due at 0, 10, 20 and 30 ms. */
  private static final double PER_SECOND = 100;

  private long nowNanos;

  @Test
  void whoHadToWaitForACallerIsCountedFromWhenItWasDue() {
    HandMade contender = new HandMade();
    OpenLoop loop = loop(List.of(contender), 0, 40);

    CompletableFuture<Void> served = loop.arrive(PER_SECOND);
    passUntil(100);
    contender.grant(); // due at 0
    passUntil(105);
    contender.grant(); // due at 10
    contender.grant(); // due at 20
    contender.grant(); // due at 30

    assertThat(served).isCompleted();
    assertThat(loop.result().arrivals()).isEqualTo(4);
    assertThat(loop.result().longestLine()).isEqualTo(3);
    assertLatencies(loop, 75, 85, 95, 100);
  }

  @Test
  void aStoreThatBlocksTheThreadOfTheArrivalsMovesNoneOfThem() {
    List<Contender> contenders = List.of(new Blocking(25), new Blocking(0), new Blocking(0));
    OpenLoop loop = loop(contenders, 0, 30);

    CompletableFuture<Void> served = loop.arrive(PER_SECOND);

    assertThat(served).isCompleted();
    assertLatencies(loop, 5, 15, 25);
  }

  @Test
  void onlyWhatIsDueInTheTimeMeasuredCountsAndAllOfThat() {
    HandMade contender = new HandMade();
    OpenLoop loop = loop(List.of(contender), 15, 40);

    CompletableFuture<Void> unused = loop.arrive(PER_SECOND);
    passUntil(50);
    for (int i = 0; i < 4; i++) {
      contender.grant();
    }

    assertThat(loop.result().arrivals()).isEqualTo(2);
    assertLatencies(loop, 20, 30);
    assertThat(loop.result().cyclesPerSecond()).isZero();
  }

  @Test
  void aCycleCountsWhenItEndedInTheTimeMeasured() {
    List<Contender> contenders = List.of(new Blocking(0), new Blocking(0));
    OpenLoop loop = loop(contenders, 0, 40);

    CompletableFuture<Void> unused = loop.arrive(PER_SECOND);

    assertThat(loop.result().cyclesPerSecond()).isCloseTo(100, within(0.01));
  }

  @Test
  void troubleOfTheStoreIsAFigureAndTheCallerGoesOn() {
    HandMade contender = new HandMade();
    OpenLoop loop = loop(List.of(contender), 0, 20);

    CompletableFuture<Void> served = loop.arrive(PER_SECOND);
    contender.fail(new LeaseUnavailableException("no majority"));
    contender.grant();

    assertThat(served).isCompleted();
    assertThat(loop.result().failures()).isEqualTo(1);
    assertThat(loop.result().acquires().getTotalCount()).isEqualTo(1);
  }

  @Test
  void aLeaseThatSomebodyElseHoldsEndsIt() {
    HandMade contender = new HandMade();
    OpenLoop loop = loop(List.of(contender), 0, 20);

    CompletableFuture<Void> served = loop.arrive(PER_SECOND);
    contender.refuse();

    assertThatThrownBy(served::join).hasMessageContaining("held by another");
  }

  private OpenLoop loop(List<Contender> contenders, long measureMillis, long endMillis) {
    OpenLoop.Span span = new OpenLoop.Span(0, nanos(measureMillis), nanos(endMillis));
    return new OpenLoop(contenders, span, () -> nowNanos, this::pass);
  }

  private void pass(long nanos) {
    nowNanos += nanos;
  }

  private void passUntil(long millis) {
    nowNanos = nanos(millis);
  }

  private static long nanos(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  /** Histograms keep one part in a hundred. */
  private static void assertLatencies(OpenLoop loop, double... millis) {
    assertThat(loop.result().acquires().getTotalCount()).isEqualTo(millis.length);
    for (int i = 0; i < millis.length; i++) {
      double percentile = 100.0 * (i + 1) / millis.length;
      assertThat(Latencies.millis(loop.result().acquires(), percentile))
          .isCloseTo(millis[i], within(millis[i] / 100));
    }
  }

  /** A contender whose acquires end when the test says so, and whose releases end at once. */
  private static final class HandMade implements Contender {

    private final Deque<CompletableFuture<Boolean>> acquires = new ArrayDeque<>();

    void grant() {
      acquires.remove().complete(true);
    }

    void refuse() {
      acquires.remove().complete(false);
    }

    void fail(Throwable failure) {
      acquires.remove().completeExceptionally(failure);
    }

    @Override
    public CompletionStage<Boolean> acquire() {
      CompletableFuture<Boolean> acquire = new CompletableFuture<>();
      acquires.add(acquire);
      return acquire;
    }

    @Override
    public CompletionStage<Boolean> acquire(Duration maxWait) {
      return acquire();
    }

    @Override
    public CompletionStage<?> release() {
      return CompletableFuture.completedFuture(null);
    }
  }

  /** A contender who is granted the lease at once, after time has passed on the caller's thread. */
  private final class Blocking implements Contender {

    private final long millis;

    Blocking(long millis) {
      this.millis = millis;
    }

    @Override
    public CompletionStage<Boolean> acquire() {
      pass(nanos(millis));
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<Boolean> acquire(Duration maxWait) {
      return acquire();
    }

    @Override
    public CompletionStage<?> release() {
      return CompletableFuture.completedFuture(null);
    }
  }
}
