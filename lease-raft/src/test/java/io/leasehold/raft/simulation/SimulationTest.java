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

/**
 * No history of any of these seeds breaks a rule of {@link Violation.Rule}, and together they have
 * everything in them that such a proof must not leave out. {@link PlantedFaultsTest} shows that a
 * fault would be seen.
 */
final class SimulationTest {

  private static final long FIRST = 1;
  private static final long COUNT = 2_000;

  private static final List<String> VIOLATIONS = Collections.synchronizedList(new ArrayList<>());
  private static final Map<Occurrence, Long> OCCURRENCES = new EnumMap<>(Occurrence.class);

  @BeforeAll
  static void runAllSeeds() {
    Complaints.listen().close(); // or the threads below would meet a logger in the making
    LongStream.range(FIRST, FIRST + COUNT).parallel().forEach(SimulationTest::run);
  }

  private static void run(long seed) {
    try {
      Simulation.Result result = Simulation.run(seed);
      synchronized (OCCURRENCES) {
        result
            .occurrences()
            .forEach((occurrence, often) -> OCCURRENCES.merge(occurrence, often, Long::sum));
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
      mode = EnumSource.Mode.MATCH_NONE,
      names = {"TASK_.*", "STEPPED_DOWN"})
  void seedsAsAWholeHaveItInThem(Occurrence occurrence) {
    assertThat(OCCURRENCES.getOrDefault(occurrence, 0L)).isPositive();
  }

  @Test
  void sameSeedIsTheSameRunToTheLastStep() {
    assertThat(Simulation.run(FIRST)).isEqualTo(Simulation.run(FIRST));
    assertThat(Simulation.trace(FIRST)).isEqualTo(Simulation.trace(FIRST)).hasSizeGreaterThan(100);
  }

  @Test
  void anotherSeedIsAnotherRun() {
    assertThat(Simulation.run(FIRST).fingerprint())
        .isNotEqualTo(Simulation.run(FIRST + 1).fingerprint());
  }

  @Test
  void violationSaysWhichRuleAtWhichStepOfWhichSeedAndHowToRepeatIt() {
    Violation violation =
        new Violation(Violation.Rule.EXCLUSION, "two have it").after(321).in(Plan.of(4711));

    assertThat(violation)
        .hasMessageContainingAll(
            "EXCLUSION: two have it",
            "at step 321 of seed 4711",
            "SimulationMain --trace 4711",
            Plan.of(4711).toString());
  }
}
