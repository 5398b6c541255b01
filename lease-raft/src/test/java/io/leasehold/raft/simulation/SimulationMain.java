package io.leasehold.raft.simulation;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Runs seeds for as long as somebody cares to: {@code SimulationMain FIRST COUNT}, or one seed with
 * all that happens in it: {@code SimulationMain --trace SEED}.
 */
public final class SimulationMain {

  private SimulationMain() {}

  /** Exits with 1 when a rule was broken. */
  public static void main(String[] arguments) {
    if (arguments.length != 2) {
      System.out.println("usage: SimulationMain FIRST COUNT | --trace SEED");
      System.exit(2);
    }
    if (arguments[0].equals("--trace")) {
      Simulation.trace(Long.parseLong(arguments[1])).forEach(System.out::println);
      return;
    }
    long first = Long.parseLong(arguments[0]);
    long count = Long.parseLong(arguments[1]);
    AtomicLong broken = new AtomicLong();
    AtomicLong steps = new AtomicLong();
    AtomicLong grants = new AtomicLong();
    Map<Occurrence, Long> occurrences = new ConcurrentSkipListMap<>();
    LongStream.range(first, first + count)
        .parallel()
        .forEach(
            seed -> {
              try {
                Simulation.Result result = Simulation.run(seed);
                steps.addAndGet(result.steps());
                grants.addAndGet(result.grants());
                result.occurrences().forEach((each, n) -> occurrences.merge(each, n, Long::sum));
              } catch (Violation violation) {
                broken.incrementAndGet();
                System.out.println(violation.getMessage());
              } catch (RuntimeException | Error e) {
                throw new IllegalStateException("seed " + seed, e);
              }
            });
    occurrences.forEach((each, n) -> System.out.printf("%-24s %d%n", each, n));
    System.out.printf(
        "%d seeds, %d steps, %d grants, %d broken%n",
        count, steps.get(), grants.get(), broken.get());
    System.exit(broken.get() == 0 ? 0 : 1);
  }
}
