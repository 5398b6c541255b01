package io.leasehold.harness.shards;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.shards.ShardEvent.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nodes are crashed, paused, cut off and closed, leases revoked, messages lost and delayed: no
 * shard is ever allocated by two live coordinators, or on two living regions, and once all is
 * mended every shard has one. {@code -Dseed=7} runs one seed.
 */
final class ShardsUnderFaultsTest {

  private static final long SEEDS = 300;
  private static final int STEPS = 60;
  private static final Duration CALM = Duration.ofSeconds(10);

  private static final List<String> VIOLATIONS = Collections.synchronizedList(new ArrayList<>());
  private static final Map<Kind, Integer> SEEN = new EnumMap<>(Kind.class);
  private static int movedShards;

  @BeforeAll
  static void runAllSeeds() {
    StrandFailures failures = StrandFailures.listen(VIOLATIONS);
    LongStream.of(seeds()).parallel().forEach(ShardsUnderFaultsTest::run);
    failures.close();
  }

  private static long[] seeds() {
    Long only = Long.getLong("seed");
    return only == null ? LongStream.range(0, SEEDS).toArray() : new long[] {only};
  }

  private static void run(long seed) {
    try (SimulatedShards shards = new SimulatedShards(seed)) {
      for (int step = 0; step < STEPS; step++) {
        shards.harm();
        shards.ask();
        shards.passTime();
      }
      shards.heal();
      shards.time().advance(CALM);
      note(seed, ShardJudge.violations(shards.parts()));
      note(seed, endOf(shards));
      count(shards.parts());
    }
  }

  private static void note(long seed, List<String> violations) {
    violations.forEach(violation -> VIOLATIONS.add("seed " + seed + ": " + violation));
  }

  /** What is still wrong when nothing is in the way any more. */
  private static List<String> endOf(SimulatedShards shards) {
    List<String> wrong = new ArrayList<>();
    if (shards.unanswered() > 0) {
      wrong.add(shards.unanswered() + " requests are neither answered nor rejected");
    }
    Map<String, List<CompletableFuture<Allocation>>> asked = new TreeMap<>();
    for (int i = 0; i < SimulatedShards.SHARDS; i++) {
      String shard = "s" + i;
      asked.put(shard, SimulatedShards.NODES.stream().map(n -> shards.ask(n, shard)).toList());
    }
    shards.time().advance(Duration.ofSeconds(1));
    asked.forEach(
        (shard, answers) -> {
          Set<Object> regions =
              answers.stream().map(ShardsUnderFaultsTest::region).collect(toSet());
          if (regions.size() != 1 || regions.contains(Optional.empty())) {
            wrong.add("all is well, but the answers for " + shard + " are " + regions);
          }
        });
    return wrong;
  }

  private static Optional<RegionId> region(CompletableFuture<Allocation> answer) {
    return answer.isDone() && !answer.isCompletedExceptionally()
        ? Optional.of(answer.join().region())
        : Optional.empty();
  }

  private static synchronized void count(List<List<ShardEvent>> parts) {
    Map<String, Set<RegionId>> regions = new TreeMap<>();
    for (ShardEvent event : parts.stream().flatMap(List::stream).toList()) {
      SEEN.merge(event.kind(), 1, Integer::sum);
      Allocation allocation = event.allocation();
      if (event.kind() == Kind.ACCEPTED && allocation != null) {
        regions
            .computeIfAbsent(allocation.shard(), shard -> new HashSet<>())
            .add(allocation.region());
      }
    }
    movedShards += (int) regions.values().stream().filter(each -> each.size() > 1).count();
  }

  @Test
  void noSeedBreaksAPromise() {
    assertThat(VIOLATIONS).isEmpty();
  }

  /** Or the faults could become harmless without anybody noticing. */
  @ParameterizedTest
  @EnumSource(Kind.class)
  void seedsAsAWholeHaveItInThem(Kind kind) {
    assertThat(SEEN.getOrDefault(kind, 0)).isPositive();
  }

  @Test
  void coordinatorsAndRegionsAreReplaced() {
    assertThat(SEEN.getOrDefault(Kind.ENDED, 0)).as("tenures").isGreaterThan(seeds().length);
    assertThat(movedShards).isGreaterThan(seeds().length);
  }
}
