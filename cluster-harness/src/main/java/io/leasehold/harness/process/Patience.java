package io.leasehold.harness.process;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Waiting for a fact about other processes, which can only be looked at again and again. */
public final class Patience {

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(25);

  private Patience() {}

  /**
   * Looks until there is something.
   *
   * @param what completes the sentence "… did not happen within 10s"
   * @throws IllegalStateException when the limit has passed
   */
  public static <T> T until(String what, Duration limit, Supplier<Optional<T>> look) {
    long start = System.nanoTime();
    while (true) {
      Optional<T> seen = look.get();
      if (seen.isPresent()) {
        return seen.get();
      }
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new IllegalStateException(
            what + " did not happen within " + limit.toMillis() + " ms");
      }
      rest(BETWEEN_LOOKS);
    }
  }

  /** Lets a moment pass between two looks; returns at once when there is none to pass. */
  public static void rest(Duration pause) {
    if (!pause.isNegative() && !pause.isZero()) {
      var afterwards = CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS);
      CompletableFuture.runAsync(() -> {}, afterwards).join();
    }
  }
}
