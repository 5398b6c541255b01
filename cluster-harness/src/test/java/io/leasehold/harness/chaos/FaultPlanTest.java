package io.leasehold.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.chaos.FaultPlan.Planned;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plan is the seed's alone, and gives a run enough harm and enough calm. */
class FaultPlanTest {

  private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);
  private static final Duration TWO_MINUTES = Duration.ofMinutes(2);

  @Test
  void isTheSeedsAlone() {
    FaultPlan plan = FaultPlan.of(7, TWO_MINUTES, ALL, 3);

    assertThat(FaultPlan.of(7, TWO_MINUTES, ALL, 3)).isEqualTo(plan);
    assertThat(FaultPlan.of(8, TWO_MINUTES, ALL, 3)).isNotEqualTo(plan);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void hasTwentyFaultsOfManyKindsInTwoMinutes(long seed) {
    FaultPlan plan = FaultPlan.of(seed, TWO_MINUTES, ALL, 3);

    assertThat(plan.faults()).hasSizeGreaterThanOrEqualTo(20);
    assertThat(plan.faults().stream().map(Planned::kind).collect(Collectors.toSet()))
        .isEqualTo(EnumSet.complementOf(EnumSet.of(FaultKind.DRIFT)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void endsWithCalm(long seed) {
    FaultPlan plan = FaultPlan.of(seed, TWO_MINUTES, ALL, 3);

    assertThat(plan.end()).isEqualTo(Duration.ofSeconds(95));
    assertThat(plan.faults())
        .allSatisfy(fault -> assertThat(fault.until()).isLessThanOrEqualTo(plan.end()));
  }

  @Test
  void doesOnlyWhatWasAskedFor() {
    Set<FaultKind> asked = EnumSet.of(FaultKind.KILL, FaultKind.PAUSE);

    assertThat(FaultPlan.of(1, TWO_MINUTES, asked, 3).faults())
        .isNotEmpty()
        .allSatisfy(fault -> assertThat(asked).contains(fault.kind()));
    assertThat(FaultPlan.of(1, TWO_MINUTES, Set.of(), 3).faults()).isEmpty();
    assertThat(FaultPlan.of(1, TWO_MINUTES, EnumSet.of(FaultKind.DRIFT), 3).faults()).isEmpty();
  }

  @Test
  void aboutHalfOfTheKillsPausesAndPartitionsAreAimedAtTheTask() {
    Set<FaultKind> asked = EnumSet.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.PARTITION);
    List<Planned> faults = FaultPlan.of(7, Duration.ofMinutes(10), asked, 3).faults();
    int third = faults.size() / 3;

    assertThat(faults).filteredOn(Planned::isAimedAtTheTask).hasSizeBetween(third, 2 * third);
    assertThat(FaultPlan.of(7, TWO_MINUTES, EnumSet.of(FaultKind.WALL), 3).faults())
        .noneMatch(Planned::isAimedAtTheTask);
  }

  @Test
  void pausesAreLongOnlyWhereThereIsRoom() {
    Set<FaultKind> pauses = EnumSet.of(FaultKind.PAUSE);

    assertThat(FaultPlan.of(1, Duration.ofMinutes(30), pauses, 3).faults())
        .extracting(Planned::length)
        .contains(Duration.ofSeconds(1), Duration.ofSeconds(12), Duration.ofSeconds(70));
    assertThat(FaultPlan.of(1, Duration.ofSeconds(60), pauses, 3).faults())
        .allSatisfy(fault -> assertThat(fault.length()).isLessThan(Duration.ofSeconds(6)));
  }

  @Test
  void everyKindHasAWord() {
    for (FaultKind kind : FaultKind.values()) {
      assertThat(FaultKind.of(kind.word())).contains(kind);
      assertThat(kind.meaning()).isNotBlank();
    }
    assertThat(FaultKind.of("earthquake")).isEmpty();
  }
}
