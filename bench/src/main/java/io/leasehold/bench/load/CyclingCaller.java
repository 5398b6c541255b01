package io.leasehold.bench.load;

import io.leasehold.LeaseException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * One caller in a closed loop: acquires, releases, and again. Confined to whichever thread runs its
 * current step; steps follow each other.
 */
final class CyclingCaller {

  private static final long ANSWER_SECONDS_MAX = 60;

  private final Contender contender;
  private final Window window;
  private final Histogram acquires = Latencies.histogram();
  private final Histogram releases = Latencies.histogram();
  private long cycles;
  private long failures;

  CyclingCaller(Contender contender, Window window) {
    this.contender = contender;
    this.window = window;
  }

  /** Cycles on the calling thread until the window is over. */
  void cycleBlocking() {
    try {
      while (!window.isOver()) {
        boolean counts = window.isMeasuring();
        long start = System.nanoTime();
        try {
          requireGranted(
              contender.acquire().toCompletableFuture().get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
          long granted = System.nanoTime();
          contender.release().toCompletableFuture().get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS);
          count(counts, start, granted, System.nanoTime());
        } catch (ExecutionException e) {
          countFailure(e.getCause());
        }
      }
    } catch (Throwable unexpected) {
      window.fail(unexpected);
    }
  }

  /** Cycles on the threads that complete the stages; completes when the window is over. */
  CompletableFuture<Void> cycleByStages() {
    CompletableFuture<Void> finished = new CompletableFuture<>();
    next(finished);
    return finished;
  }

  private void next(CompletableFuture<Void> finished) {
    if (window.isOver()) {
      finished.complete(null);
      return;
    }
    boolean counts = window.isMeasuring();
    long start = System.nanoTime();
    contender
        .acquire()
        .thenCompose(
            granted -> {
              requireGranted(granted);
              long grantedAt = System.nanoTime();
              return contender
                  .release()
                  .thenAccept(done -> count(counts, start, grantedAt, System.nanoTime()));
            })
        .whenComplete(
            (done, failure) -> {
              try {
                if (failure != null) {
                  countFailure(failure);
                }
              } catch (Throwable unexpected) {
                window.fail(unexpected);
              }
              next(finished);
            });
  }

  private static void requireGranted(boolean granted) {
    if (!granted) {
      throw new IllegalStateException("a lease that nobody else wants is held by another");
    }
  }

  private void count(boolean counts, long start, long granted, long released) {
    if (counts && window.isMeasuring()) {
      cycles++;
      Latencies.record(acquires, granted - start);
      Latencies.record(releases, released - granted);
    }
  }

  /** Trouble of the store is a figure; anything else is a mistake here. */
  private void countFailure(Throwable failure) throws Throwable {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (!(cause instanceof LeaseException)) {
      throw cause;
    }
    failures++;
  }

  long cycles() {
    return cycles;
  }

  long failures() {
    return failures;
  }

  Histogram acquires() {
    return acquires;
  }

  Histogram releases() {
    return releases;
  }
}
