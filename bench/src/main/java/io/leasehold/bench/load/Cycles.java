package io.leasehold.bench.load;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.HdrHistogram.Histogram;

/**
 * What a number of callers reached, each on a lease of its own.
 *
 * @param store the store's name
 * @param callers how many there were
 * @param cycles how many acquires with their releases ended in the time measured
 * @param failures how many did not, because of trouble of the store
 * @param span how long was measured
 */
record Cycles(
    String store,
    int callers,
    long cycles,
    long failures,
    Histogram acquires,
    Histogram releases,
    Window.Span span) {

  Cycles {
    requireNonNull(store, "store");
    requireNonNull(acquires, "acquires");
    requireNonNull(releases, "releases");
    requireNonNull(span, "span");
  }

  /** Measures a store in a closed loop. */
  static Cycles measure(
      LoadTarget target, int callers, CallerStyle style, Duration warmUp, Duration duration) {
    Window window = new Window();
    List<CyclingCaller> all = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      String owner = "caller" + i;
      all.add(new CyclingCaller(target.contender("of-" + owner, owner), window));
    }
    List<CompletableFuture<Void>> finished = new ArrayList<>();
    for (CyclingCaller caller : all) {
      finished.add(
          switch (style) {
            case THREADS -> CallerThreads.run("caller", caller::cycleBlocking);
            case STAGES -> caller.cycleByStages();
          });
    }
    Window.Span span = window.measure(warmUp, duration, target.pids());
    finished.forEach(CompletableFuture::join);
    return sum(target.name(), all, span);
  }

  private static Cycles sum(String store, List<CyclingCaller> callers, Window.Span span) {
    Histogram acquires = Latencies.histogram();
    Histogram releases = Latencies.histogram();
    long cycles = 0;
    long failures = 0;
    for (CyclingCaller caller : callers) {
      cycles += caller.cycles();
      failures += caller.failures();
      acquires.add(caller.acquires());
      releases.add(caller.releases());
    }
    return new Cycles(store, callers.size(), cycles, failures, acquires, releases, span);
  }

  double perSecond() {
    return cycles / span.seconds();
  }

  /** The CPU seconds of all processes for 10,000 cycles. */
  double cpuSecondsPer10000() {
    return cycles == 0 ? Double.NaN : span.cpuSeconds() * 10_000 / cycles;
  }
}
