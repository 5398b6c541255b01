package io.leasehold.bench.load;

import static io.leasehold.bench.load.ResultTable.Column.number;
import static io.leasehold.bench.load.ResultTable.Column.text;

import io.leasehold.bench.cluster.WorkFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Measures every store in an open loop, with every rate of arrivals. */
final class ArrivalRace {

  /** How long a store that has not kept up is given to serve who is still in line. */
  private static final long CATCH_UP_SECONDS_MAX = 120;

  private final List<Competitor> competitors;
  private final List<Integer> rates;
  private final int callers;
  private final Duration warmUp;
  private final Duration duration;
  private final ResultTable table =
      new ResultTable(
          "arrivals",
          "Arrivals at a fixed rate: an acquire, counted from when it was due, and its release",
          text("store", "store"),
          number("callers", "callers at most", 0),
          number("arrivalsPerSecond", "arrivals/s", 0),
          number("cyclesPerSecond", "cycles/s", 0),
          number("acquireP50Millis", "acquire p50, ms", 2),
          number("acquireP99Millis", "p99", 2),
          number("acquireP999Millis", "p99.9", 2),
          number("acquireMaxMillis", "max", 2),
          number("longestLine", "longest line", 0),
          number("cpuSecondsPer10000", "CPU s/10,000", 2),
          number("failed", "failed", 0));

  /**
   * @param rates arrivals per second
   * @param callers how many at most are served at once
   */
  ArrivalRace(
      List<Competitor> competitors,
      List<Integer> rates,
      int callers,
      Duration warmUp,
      Duration duration) {
    this.competitors = List.copyOf(competitors);
    this.rates = List.copyOf(rates);
    this.callers = callers;
    this.warmUp = warmUp;
    this.duration = duration;
  }

  ResultTable run(Supplier<WorkFolder> folders) {
    for (Competitor competitor : competitors) {
      Report.progress("arrivals: " + competitor.name());
      try (WorkFolder folder = folders.get();
          LoadTarget target = competitor.start(folder.path())) {
        for (int rate : rates) {
          target.settle();
          measure(target, rate);
        }
      }
    }
    return table;
  }

  private void measure(LoadTarget target, int rate) {
    List<Contender> contenders = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      String owner = "caller" + i;
      contenders.add(target.contender("of-" + owner, owner));
    }
    long begin = System.nanoTime();
    long measure = begin + warmUp.toNanos();
    OpenLoop.Span span = new OpenLoop.Span(begin, measure, measure + duration.toNanos());
    OpenLoop loop =
        new OpenLoop(contenders, span, System::nanoTime, nanos -> LockSupport.parkNanos(nanos));
    Window window = new Window();
    CompletableFuture<Void> arrived =
        CallerThreads.run("arrivals", () -> serveAll(loop, rate, window));
    Window.Span measured = window.measure(warmUp, duration, target.pids());
    arrived.join();
    window.requireNoFault();

    OpenLoop.Result result = loop.result();
    double cycles = result.cyclesPerSecond() * span.measuredSeconds();
    table.add(
        target.isAsNamed() ? target.name() : target.name() + " (the leader moved)",
        callers,
        result.arrivals() / span.measuredSeconds(),
        result.cyclesPerSecond(),
        Latencies.millis(result.acquires(), 50),
        Latencies.millis(result.acquires(), 99),
        Latencies.millis(result.acquires(), 99.9),
        Latencies.millis(result.acquires(), 100),
        result.longestLine(),
        cycles == 0 ? Double.NaN : measured.cpuSeconds() * 10_000 / cycles,
        result.failures());
  }

  private static void serveAll(OpenLoop loop, int rate, Window window) {
    try {
      loop.arrive(rate).get(CATCH_UP_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (Exception unexpected) {
      window.fail(unexpected);
    }
  }
}
