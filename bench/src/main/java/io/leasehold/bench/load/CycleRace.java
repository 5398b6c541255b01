package io.leasehold.bench.load;

import static io.leasehold.bench.load.ResultTable.Column.number;
import static io.leasehold.bench.load.ResultTable.Column.text;

import io.leasehold.bench.cluster.WorkFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Measures the cycles of every store with every number of callers, one store at a time. */
final class CycleRace {

  private static final int TRIES_MAX = 3;
  private static final int FIRST_WARM_UPS = 3;

  private final List<Competitor> competitors;
  private final List<Integer> callers;
  private final CallerStyle style;
  private final Duration warmUp;
  private final Duration duration;
  private final Map<Heat, List<Cycles>> results = new LinkedHashMap<>();

  CycleRace(
      List<Competitor> competitors,
      List<Integer> callers,
      CallerStyle style,
      Duration warmUp,
      Duration duration) {
    this.competitors = List.copyOf(competitors);
    this.callers = List.copyOf(callers);
    this.style = style;
    this.warmUp = warmUp;
    this.duration = duration;
  }

  /** One store with one number of callers. */
  private record Heat(Competitor competitor, int callers) {}

  /** Runs every heat, and returns the results and, if there are several stores, their ratios. */
  List<ResultTable> run(int rounds, Supplier<WorkFolder> folders) {
    for (int round = 1; round <= rounds; round++) {
      for (Competitor competitor : competitors) {
        Report.progress("cycles, round " + round + " of " + rounds + ": " + competitor.name());
        try (WorkFolder folder = folders.get();
            LoadTarget target = competitor.start(folder.path())) {
          runHeats(competitor, target);
        }
      }
    }
    return List.of(table(), ratios());
  }

  /** Returns what counts of each heat. */
  List<Cycles> medians() {
    return results.values().stream().map(CycleRace::median).toList();
  }

  private void runHeats(Competitor competitor, LoadTarget target) {
    int most = callers.stream().mapToInt(Integer::intValue).max().orElse(1);
    target.settle();
    // New processes have everything to compile yet, and are slow to where few callers drive them.
    Duration first = warmUp.multipliedBy(FIRST_WARM_UPS);
    Cycles unused = Cycles.measure(target, most, style, first, Duration.ZERO);
    for (int count : callers) {
      runHeat(target, count)
          .ifPresent(
              cycles ->
                  results
                      .computeIfAbsent(new Heat(competitor, count), heat -> new ArrayList<>())
                      .add(cycles));
    }
  }

  private Optional<Cycles> runHeat(LoadTarget target, int count) {
    for (int tries = 0; tries < TRIES_MAX; tries++) {
      target.settle();
      Cycles cycles = Cycles.measure(target, count, style, warmUp, duration);
      if (target.isAsNamed()) {
        return Optional.of(cycles);
      }
      Report.progress("the leader has moved; once more with " + count + " callers");
    }
    Report.progress("no result with " + count + " callers: the leader does not stay");
    return Optional.empty();
  }

  private ResultTable table() {
    ResultTable table =
        new ResultTable(
            "cycles",
            "Cycles: an acquire and its release, each caller on a lease of its own",
            text("store", "store"),
            text("log", "log"),
            number("callers", "callers", 0),
            number("cyclesPerSecond", "cycles/s", 0),
            number("leastPerSecond", "least", 0),
            number("mostPerSecond", "most", 0),
            number("acquireP50Millis", "acquire p50, ms", 2),
            number("acquireP99Millis", "p99", 2),
            number("releaseP50Millis", "release p50, ms", 2),
            number("releaseP99Millis", "p99", 2),
            number("cpuSecondsPer10000", "CPU s/10,000", 2),
            number("failed", "failed", 0));
    results.forEach(
        (heat, rounds) -> {
          Cycles median = median(rounds);
          table.add(
              heat.competitor().name(),
              Report.logOf(heat.competitor()),
              heat.callers(),
              median.perSecond(),
              rounds.stream().mapToDouble(Cycles::perSecond).min().orElseThrow(),
              rounds.stream().mapToDouble(Cycles::perSecond).max().orElseThrow(),
              Latencies.millis(median.acquires(), 50),
              Latencies.millis(median.acquires(), 99),
              Latencies.millis(median.releases(), 50),
              Latencies.millis(median.releases(), 99),
              median.cpuSecondsPer10000(),
              rounds.stream().mapToLong(Cycles::failures).sum());
        });
    return table;
  }

  private static Cycles median(List<Cycles> rounds) {
    return rounds.stream()
        .sorted(Comparator.comparingDouble(Cycles::perSecond))
        .toList()
        .get(rounds.size() / 2);
  }

  /** Ours against each of the others; without others, against the last of ours. */
  private ResultTable ratios() {
    ResultTable table =
        new ResultTable(
            "ratios",
            "Ratios of the same run",
            text("store", "store"),
            text("to", "to"),
            number("callers", "callers", 0),
            number("cyclesPerSecond", "cycles/s", 2),
            number("acquireP50", "acquire p50", 2),
            number("cpuSeconds", "CPU s", 2));
    for (Competitor to : yardsticks()) {
      results.forEach(
          (heat, rounds) -> {
            List<Cycles> others = results.get(new Heat(to, heat.callers()));
            if (!isOurs(heat.competitor()) || heat.competitor().equals(to) || others == null) {
              return;
            }
            Cycles one = median(rounds);
            Cycles other = median(others);
            table.add(
                heat.competitor().name(),
                to.name(),
                heat.callers(),
                one.perSecond() / other.perSecond(),
                Latencies.millis(one.acquires(), 50) / Latencies.millis(other.acquires(), 50),
                one.cpuSecondsPer10000() / other.cpuSecondsPer10000());
          });
    }
    return table;
  }

  private List<Competitor> yardsticks() {
    List<Competitor> others = competitors.stream().filter(store -> !isOurs(store)).toList();
    return others.isEmpty()
        ? competitors.subList(competitors.size() - 1, competitors.size())
        : others;
  }

  private static boolean isOurs(Competitor competitor) {
    return competitor instanceof OwnStore;
  }
}
