package io.leasehold.bench.load;

import static io.leasehold.bench.load.ResultTable.Column.number;
import static io.leasehold.bench.load.ResultTable.Column.text;

import io.leasehold.bench.cluster.WorkFolder;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** Measures how fast one lease goes round, in every store with every number of owners. */
final class HandOverRace {

  private final List<Competitor> competitors;
  private final List<Integer> waiters;
  private final Duration warmUp;
  private final Duration duration;

  HandOverRace(
      List<Competitor> competitors, List<Integer> waiters, Duration warmUp, Duration duration) {
    this.competitors = List.copyOf(competitors);
    this.waiters = List.copyOf(waiters);
    this.warmUp = warmUp;
    this.duration = duration;
  }

  ResultTable run(Supplier<WorkFolder> folders) {
    ResultTable table =
        new ResultTable(
            "hand-overs",
            "Hand-overs: one lease, which all owners want, released as soon as acquired",
            text("store", "store"),
            text("log", "log"),
            number("waiters", "owners", 0),
            number("handOversPerSecond", "hand-overs/s", 0),
            number("handOverP50Millis", "hand-over p50, ms", 2),
            number("handOverP99Millis", "p99", 2),
            number("waitP50Millis", "wait p50, ms", 2),
            number("waitMaxMillis", "longest", 2),
            number("sameOwnerPercent", "same owner again, %", 1),
            number("failed", "failed", 0));
    for (Competitor competitor : competitors) {
      Report.progress("hand-overs: " + competitor.name());
      try (WorkFolder folder = folders.get();
          LoadTarget target = competitor.start(folder.path())) {
        for (int count : waiters) {
          target.settle();
          HandOvers result = HandOvers.measure(target, count, warmUp, duration);
          table.add(
              target.isAsNamed() ? result.store() : result.store() + " (the leader moved)",
              Report.logOf(competitor),
              count,
              result.perSecond(),
              Latencies.millis(result.handOvers(), 50),
              Latencies.millis(result.handOvers(), 99),
              Latencies.millis(result.waits(), 50),
              Latencies.millis(result.waits(), 100),
              result.percentToTheSame(),
              result.failures());
        }
      }
    }
    return table;
  }
}
