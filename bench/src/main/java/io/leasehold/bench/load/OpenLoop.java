package io.leasehold.bench.load;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.LeaseException;
import io.leasehold.time.Ticker;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongConsumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Arrivals at a fixed rate, whether or not the store keeps up: each takes a caller who is free
 * through an acquire and its release, or waits in line until one is. Its latency counts from the
 * moment at which it was due, so a pause of the store lengthens every arrival that fell into it,
 * not only the ones under way (Tene's "coordinated omission"). Safe for many threads.
 */
final class OpenLoop {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Ticker ticker;
  private final LongConsumer park;
  private final Span span;
  private final int callers;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Deque<Contender> free;

  @GuardedBy("lock")
  private final Deque<Long> line = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Histogram acquires = Latencies.histogram();

  @GuardedBy("lock")
  private boolean allHaveArrived;

  @GuardedBy("lock")
  private long arrivals;

  @GuardedBy("lock")
  private long cycles;

  @GuardedBy("lock")
  private long failures;

  @GuardedBy("lock")
  private int longestLine;

  /**
   * @param contenders the callers, each with a lease of its own
   * @param span what counts
   * @param ticker the clock that arrivals are due by
   * @param park lets about so many nanoseconds pass on the thread that calls it, or fewer
   */
  OpenLoop(Collection<Contender> contenders, Span span, Ticker ticker, LongConsumer park) {
    this.free = new ArrayDeque<>(contenders);
    this.callers = contenders.size();
    this.span = span;
    this.ticker = ticker;
    this.park = park;
  }

  /**
   * The time of arrivals, and the part of it that counts, by the ticker's clock.
   *
   * @param beginNanos when the first is due
   * @param measureNanos from when on they count
   * @param endNanos when none is due any more
   */
  record Span(long beginNanos, long measureNanos, long endNanos) {

    boolean isOver(long nanos) {
      return nanos - endNanos >= 0;
    }

    boolean counts(long nanos) {
      return nanos - measureNanos >= 0 && !isOver(nanos);
    }

    double measuredSeconds() {
      return (endNanos - measureNanos) / NANOS_PER_SECOND;
    }
  }

  /**
   * What became of the arrivals that counted.
   *
   * @param arrivals how many there were
   * @param cyclesPerSecond how many acquires with their releases ended while it was measured
   * @param failures how many did not, because of trouble of the store, warm-up included
   * @param longestLine how many at most waited for a caller
   * @param acquires the time from when an arrival was due until it had the lease
   */
  record Result(
      long arrivals, double cyclesPerSecond, long failures, int longestLine, Histogram acquires) {}

  /**
   * Lets everybody arrive on time, on the calling thread.
   *
   * @return completes when all have been served; fails with what a caller did not expect
   */
  CompletableFuture<Void> arrive(double perSecond) {
    for (long number = 0; !ended.isDone(); number++) {
      long due = span.beginNanos() + (long) (number * NANOS_PER_SECOND / perSecond);
      if (span.isOver(due)) {
        break;
      }
      for (long left = due - ticker.nanos(); left > 0; left = due - ticker.nanos()) {
        park.accept(left);
      }
      arriveAt(due);
    }
    synchronized (lock) {
      allHaveArrived = true;
    }
    endIfServed();
    return ended;
  }

  private void arriveAt(long dueNanos) {
    Contender contender;
    synchronized (lock) {
      arrivals += span.counts(dueNanos) ? 1 : 0;
      contender = free.poll();
      if (contender == null) {
        line.add(dueNanos);
        longestLine = Math.max(longestLine, line.size());
        return;
      }
    }
    serve(contender, dueNanos);
  }

  private void serve(Contender contender, long dueNanos) {
    CompletableFuture<Void> unused =
        contender
            .acquire()
            .thenCompose(
                granted -> {
                  acquired(granted, dueNanos);
                  return contender.release();
                })
            .handle(
                (released, failure) -> {
                  count(failure);
                  next(contender);
                  return (Void) null;
                })
            .toCompletableFuture();
  }

  private void acquired(boolean granted, long dueNanos) {
    long waited = ticker.nanos() - dueNanos;
    if (!granted) {
      throw new IllegalStateException("a lease that nobody else wants is held by another");
    }
    synchronized (lock) {
      if (span.counts(dueNanos)) {
        Latencies.record(acquires, waited);
      }
    }
  }

  /** Trouble of the store is a figure; anything else is a mistake here, and ends it all. */
  private void count(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    synchronized (lock) {
      if (cause == null) {
        cycles += span.counts(ticker.nanos()) ? 1 : 0;
      } else if (cause instanceof LeaseException) {
        failures++;
      }
    }
    if (cause != null && !(cause instanceof LeaseException)) {
      ended.completeExceptionally(cause);
    }
  }

  private void next(Contender contender) {
    Long due;
    synchronized (lock) {
      due = line.poll();
      if (due == null) {
        free.add(contender);
      }
    }
    if (due != null) {
      serve(contender, due);
    } else {
      endIfServed();
    }
  }

  private void endIfServed() {
    boolean served;
    synchronized (lock) {
      served = allHaveArrived && free.size() == callers;
    }
    if (served) {
      ended.complete(null);
    }
  }

  Result result() {
    synchronized (lock) {
      return new Result(
          arrivals, cycles / span.measuredSeconds(), failures, longestLine, acquires.copy());
    }
  }
}
