package io.leasehold.harness.process;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** What somebody reads after an incident: the whole story, in a dozen lines on each node. */
@Isolated
final class IncidentLogIT {

  private static final Duration TTL = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final Duration AWAY = Duration.ofSeconds(6);
  private static final int LINES_MAX = 12;

  @TempDir Path folder;
  private LocalCluster cluster;
  private final Map<String, Integer> linesBefore = new HashMap<>();

  @BeforeEach
  void start() throws IOException {
    cluster = LocalCluster.start(folder, 3);
    for (String id : cluster.ids()) {
      cluster.client(id).acquire("warm-" + id, "a", WAIT, WAIT, false).join();
    }
    for (String id : cluster.ids()) {
      linesBefore.put(id, log(id).size());
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private List<String> log(String id) throws IOException {
    return Files.readAllLines(cluster.process(id).log());
  }

  private List<String> since(String id) throws IOException {
    List<String> all = log(id);
    return all.subList(linesBefore.getOrDefault(id, 0), all.size());
  }

  private static void assertShort(List<String> lines) {
    assertThat(lines).hasSizeLessThanOrEqualTo(LINES_MAX);
    assertThat(
            lines.stream()
                .collect(
                    groupingBy(line -> line.substring(24).replaceAll("[0-9]+", "N"), counting())))
        .as("nothing is said again and again")
        .allSatisfy((line, times) -> assertThat(times).isLessThanOrEqualTo(3));
  }

  private static void assertTells(List<String> lines, String... parts) {
    for (String part : parts) {
      assertThat(lines).anySatisfy(line -> assertThat(line).contains(part));
    }
  }

  @Test
  void leaderAndHolderThatIsKilledAndComesBack() throws Exception {
    String killed = cluster.leader();
    cluster.client(killed).acquire("job", "first", TTL, WAIT, false).join();

    cluster.kill(killed);
    String leader = cluster.leaderOtherThan(killed);
    String other =
        cluster.ids().stream()
            .filter(id -> !id.equals(killed) && !id.equals(leader))
            .findFirst()
            .orElseThrow();
    cluster.client(other).acquire("job", "second", WAIT, WAIT, false).join();
    await("it is away for a while")
        .pollDelay(AWAY)
        .atMost(AWAY.multipliedBy(2))
        .until(() -> !cluster.process(killed).isAlive());
    cluster.restart(killed);
    cluster.awaitServing(killed);

    for (String id : List.of(leader, other)) {
      List<String> lines = since(id);
      assertShort(lines);
      assertTells(
          lines,
          "node %s: %s leads".formatted(id, leader),
          killed + " did not renew in time: lease 'job' of 'first' expired");
    }
    assertTells(since(leader), killed + " does not answer", killed + " answers again");
  }

  @Test
  void holderThatStandsStill() throws Exception {
    String leader = cluster.leader();
    String paused =
        cluster.ids().stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
    cluster.client(paused).acquire("job", "first", TTL, WAIT, false).join();

    cluster.pause(paused);
    cluster.client(leader).acquire("job", "second", WAIT, WAIT, false).join();
    cluster.resume(paused);
    await("it has heard of its loss")
        .atMost(WAIT)
        .untilAsserted(
            () -> assertTells(since(paused), "Lost lease 'job' of 'first'", "was paused"));
    cluster.awaitServing(paused);

    for (String id : cluster.ids()) {
      assertShort(since(id));
      assertTells(since(id), paused + " did not renew in time: lease 'job' of 'first' expired");
    }
  }
}
