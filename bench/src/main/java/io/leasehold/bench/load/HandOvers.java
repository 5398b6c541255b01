package io.leasehold.bench.load;

import static java.util.Objects.requireNonNull;

import io.leasehold.LeaseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * How a lease goes round among owners who all want it: each waits for it, and releases it at once.
 *
 * @param store the store's name
 * @param waiters how many owners there were
 * @param grants how often one got it in the time measured
 * @param toTheSame how often that was the one who had just released it
 * @param failures how many acquires and releases did not end, because of trouble of the store
 * @param handOvers the time from the call of a release until the next owner knew
 * @param waits the time from the call of an acquire until its owner had it
 */
record HandOvers(
    String store,
    int waiters,
    long grants,
    long toTheSame,
    long failures,
    Histogram handOvers,
    Histogram waits,
    Window.Span span) {

  private static final Duration WAIT_MAX = Duration.ofSeconds(30);

  HandOvers {
    requireNonNull(store, "store");
    requireNonNull(handOvers, "handOvers");
    requireNonNull(waits, "waits");
    requireNonNull(span, "span");
  }

  /** Measures a store. */
  static HandOvers measure(LoadTarget target, int waiters, Duration warmUp, Duration duration) {
    Window window = new Window();
    Baton baton = new Baton(window);
    List<CompletableFuture<Void>> finished = new ArrayList<>();
    for (int i = 0; i < waiters; i++) {
      String owner = "waiter" + i;
      Contender contender = target.contender("contended", owner);
      finished.add(CallerThreads.run("waiter", () -> baton.passOn(contender, owner)));
    }
    Window.Span span = window.measure(warmUp, duration, target.pids());
    finished.forEach(CompletableFuture::join);
    return baton.result(target.name(), waiters, span);
  }

  double perSecond() {
    return grants / span.seconds();
  }

  double percentToTheSame() {
    return grants == 0 ? Double.NaN : 100.0 * toTheSame / grants;
  }

  /**
   * The lease, and what is written down about it. Only its holder writes, before it releases: the
   * lease itself is the lock, and the lock of this object only makes the writing visible.
   */
  private static final class Baton {

    private final Window window;
    private final Histogram handOvers = Latencies.histogram();
    private final Histogram waits = Latencies.histogram();
    private String lastOwner = "";
    private long releasedNanos;
    private long grants;
    private long toTheSame;
    private long failures;

    Baton(Window window) {
      this.window = window;
    }

    void passOn(Contender contender, String owner) {
      try {
        while (!window.isOver()) {
          try {
            passOnce(contender, owner);
          } catch (ExecutionException e) {
            // Trouble of the store is a figure; anything else is a mistake here.
            if (!(e.getCause() instanceof LeaseException)) {
              throw e;
            }
            countFailure();
          }
        }
      } catch (InterruptedException | ExecutionException | TimeoutException | RuntimeException e) {
        window.fail(e);
      }
    }

    private void passOnce(Contender contender, String owner)
        throws InterruptedException, ExecutionException, TimeoutException {
      long start = System.nanoTime();
      boolean granted =
          contender
              .acquire(WAIT_MAX)
              .toCompletableFuture()
              .get(WAIT_MAX.toSeconds() * 2, TimeUnit.SECONDS);
      if (!granted) {
        throw new IllegalStateException(owner + " waited in vain for " + WAIT_MAX);
      }
      grantedTo(owner, System.nanoTime() - start);
      contender.release().toCompletableFuture().get(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
    }

    private synchronized void countFailure() {
      failures++;
    }

    private synchronized void grantedTo(String owner, long waitedNanos) {
      long now = System.nanoTime();
      if (window.isMeasuring() && !lastOwner.isEmpty()) {
        grants++;
        toTheSame += owner.equals(lastOwner) ? 1 : 0;
        Latencies.record(handOvers, now - releasedNanos);
        Latencies.record(waits, waitedNanos);
      }
      lastOwner = owner;
      releasedNanos = System.nanoTime();
    }

    synchronized HandOvers result(String store, int waiters, Window.Span span) {
      return new HandOvers(store, waiters, grants, toTheSame, failures, handOvers, waits, span);
    }
  }
}
