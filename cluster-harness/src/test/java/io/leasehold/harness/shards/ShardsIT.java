package io.leasehold.harness.shards;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.process.Patience;
import io.leasehold.harness.shards.RequestStream.Asked;
import io.leasehold.harness.shards.ShardEvent.Kind;
import io.leasehold.harness.shards.ShardProcesses.Downtime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes, of which whoever coordinates is killed, or paused for longer than its lease
 * lasts. {@code -Dfaults=100} does so a hundred times, {@code -Dseed=7} in another order.
 */
final class ShardsIT {

  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final Duration TTL = Duration.ofSeconds(2);
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int FAULTS = Integer.getInteger("faults", 4);
  private static final long SEED = Long.getLong("seed", 1);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static List<Asked> asked = List.of();
  private static List<List<ShardEvent>> parts = List.of();
  private static List<Downtime> downtimes = List.of();

  @BeforeAll
  static void run() throws Exception {
    try (ShardProcesses processes = ShardProcesses.start(folder, NODES, TTL);
        RequestStream requests = new RequestStream(NODES, processes::http, SEED)) {
      awaitNewerThan(0, requests);
      Random random = new Random(SEED);
      boolean kill = random.nextBoolean();
      for (int fault = 0; fault < FAULTS; fault++) {
        harm(kill, processes, requests);
        // The first two differ, so that a short run has both.
        kill = fault == 0 ? !kill : random.nextBoolean();
      }
      asked = requests.end();
      downtimes = processes.downtimes();
      parts = processes.end();
    }
  }

  @Test
  void noShardIsAllocatedByTwoLiveCoordinatorsNorOnTwoLivingRegions() {
    assertThat(ShardJudge.violations(parts)).as("seed %d", SEED).isEmpty();
  }

  @Test
  void everyRequestToANodeThatIsUpIsAnsweredOrRejected() {
    assertThat(asked).isNotEmpty();
    assertThat(asked.stream().filter(request -> !wasDown(request)))
        .as("seed %d", SEED)
        .flatExtracting(request -> request.end().join().failure().stream().toList())
        .isEmpty();
  }

  @Test
  void whatIsAnsweredWasAccepted() {
    Set<Allocation> answered =
        asked.stream()
            .flatMap(request -> Optional.ofNullable(request.end().join().allocation()).stream())
            .collect(toSet());

    assertThat(allocations(Kind.ACCEPTED)).as("seed %d", SEED).containsAll(answered);
  }

  @Test
  void eachFaultBringsANewCoordinatorThatAllocates() {
    assertThat(allocations(Kind.DECIDED))
        .extracting(Allocation::fencingToken)
        .as("seed %d", SEED)
        .satisfies(tokens -> assertThat(Set.copyOf(tokens)).hasSizeGreaterThan(FAULTS));
  }

  private static void harm(boolean kill, ShardProcesses processes, RequestStream requests)
      throws Exception {
    String victim = coordinator(processes);
    long before = requests.newestToken();
    if (kill) {
      processes.killAndRestart(victim);
      awaitNewerThan(before, requests);
    } else {
      processes.pause(victim);
      awaitNewerThan(before, requests); // so its lease has run out
      processes.resume(victim);
    }
    Patience.until(
        "an answer of " + victim,
        LIMIT,
        () -> Optional.ofNullable(requests.ask(victim, "s0").join().allocation()));
  }

  private static String coordinator(ShardProcesses processes) throws Exception {
    for (String node : NODES) {
      String leader = processes.leader(node);
      if (!leader.isEmpty()) {
        return leader;
      }
    }
    return NODES.get(0);
  }

  private static void awaitNewerThan(long token, RequestStream requests) {
    Patience.until(
        "an answer of another coordinator",
        LIMIT,
        () -> requests.newestToken() > token ? Optional.of(true) : Optional.empty());
  }

  private static boolean wasDown(Asked request) {
    return downtimes.stream()
        .anyMatch(
            down ->
                down.node().equals(request.node())
                    && request.at() < down.to()
                    && request.end().join().at() > down.from());
  }

  private static Set<Allocation> allocations(Kind kind) {
    return parts.stream()
        .flatMap(List::stream)
        .filter(event -> event.kind() == kind)
        .flatMap(event -> Optional.ofNullable(event.allocation()).stream())
        .collect(toSet());
  }
}
