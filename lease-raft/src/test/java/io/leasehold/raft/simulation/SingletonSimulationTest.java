package io.leasehold.raft.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * Nodes with a singleton each are killed, paused, suspended, cut off and closed: never do two tasks
 * run under a live lease, never is one given up under its task, and in the end one task runs. The
 * trace of a seed: {@code SingletonSimulation.trace}.
 */
final class SingletonSimulationTest {

  private static final long FIRST = 1;
  private static final long COUNT = 500;

  private static final List<String> VIOLATIONS = Collections.synchronizedList(new ArrayList<>());
  private static final Map<Occurrence, Long> OCCURRENCES = new EnumMap<>(Occurrence.class);

  @BeforeAll
  static void runAllSeeds() {
    Complaints.listen().close(); // or the threads below would meet a logger in the making
    LongStream.range(FIRST, FIRST + COUNT).parallel().forEach(SingletonSimulationTest::run);
  }

  private static void run(long seed) {
    try {
      Map<Occurrence, Long> occurrences = SingletonSimulation.run(seed);
      synchronized (OCCURRENCES) {
        occurrences.forEach((each, often) -> OCCURRENCES.merge(each, often, Long::sum));
      }
    } catch (Violation violation) {
      VIOLATIONS.add(violation.getMessage());
    }
  }

  @Test
  void noSeedBreaksARule() {
    assertThat(VIOLATIONS).isEmpty();
  }

  /** Or the simulation could become harmless without anybody noticing. */
  @ParameterizedTest
  @EnumSource(
      mode = Mode.MATCH_ANY,
      names = {"TASK_.*", "STEPPED_DOWN", "PAUSED_.*", "CRASHED"})
  void seedsAsAWholeHaveItInThem(Occurrence occurrence) {
    assertThat(OCCURRENCES.getOrDefault(occurrence, 0L)).isPositive();
  }
}
