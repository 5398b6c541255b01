package io.leasehold.raft.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.raft.simulation.FaultyBuild.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The simulation sees every fault that is planted into the real code, and sees it by the rule that
 * it breaks. What was seen, and after how long, is in {@code target/planted-faults.txt}.
 *
 * <p>Not here, as they do no harm: a second grant to the same holder with the token it had (the
 * model's SAMETOKEN), for a session has one batch under way and they are numbered, so the release
 * of the first has come before; and a digest of holds that nobody compares, which is a second line
 * of defence behind the news.
 */
final class PlantedFaultsTest {

  private static final long SEEDS_MAX = 4_000;

  /** From where on to look for those that few seeds see: from the first on takes half a minute. */
  private static final Map<PlantedFault, Long> RARE =
      Map.of(PlantedFault.SUSPEND_FORGETS_WHAT_IS_UNDER_WAY, 2_101L);

  private static final Path TABLE = Path.of("target", "planted-faults.txt");

  private static final Map<PlantedFault, Sighting> SIGHTINGS = new EnumMap<>(PlantedFault.class);

  /** How a fault came to be seen. */
  private record Sighting(long seed, long steps, Finding finding) {}

  @BeforeAll
  static void lookForAllOfThem() {
    Complaints.listen().close(); // or the threads below would meet a logger in the making
    Arrays.stream(PlantedFault.values())
        .parallel()
        .forEach(
            fault ->
                lookFor(fault)
                    .ifPresent(
                        sighting -> {
                          synchronized (SIGHTINGS) {
                            SIGHTINGS.put(fault, sighting);
                          }
                        }));
  }

  private static Optional<Sighting> lookFor(PlantedFault fault) {
    FaultyBuild build = FaultyBuild.with(fault);
    long steps = 0;
    for (long seed = RARE.getOrDefault(fault, 1L); seed <= SEEDS_MAX; seed++) {
      FaultyBuild.Run run = build.run(seed);
      steps += run.steps();
      if (run.finding().isPresent()) {
        return Optional.of(new Sighting(seed, steps, run.finding().get()));
      }
    }
    return Optional.empty();
  }

  @ParameterizedTest
  @EnumSource
  void faultIsSeenByTheRuleThatItBreaks(PlantedFault fault) {
    Optional<Violation.Rule> seenBy =
        Optional.ofNullable(SIGHTINGS.get(fault)).map(sighting -> sighting.finding().rule());

    assertThat(seenBy).as("seen within %d seeds by", SEEDS_MAX).isPresent();
    assertThat(seenBy.orElseThrow()).isIn(fault.breaks());
  }

  @AfterAll
  static void writeTable() throws IOException {
    StringBuilder table =
        new StringBuilder(
            "%-40s %-14s %5s %10s  %s%n"
                .formatted("planted fault", "rule", "seed", "steps", "what was seen"));
    SIGHTINGS.forEach(
        (fault, sighting) ->
            table.append(
                "%-40s %-14s %5d %10d  %s%n"
                    .formatted(
                        fault,
                        sighting.finding().rule(),
                        sighting.seed(),
                        sighting.steps(),
                        sighting.finding().message().lines().findFirst().orElse(""))));
    Files.writeString(TABLE, table);
    System.out.print(table);
  }
}
