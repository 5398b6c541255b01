package io.leasehold.harness.shards;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three nodes in virtual time, of which n1 coordinates. */
final class ShardNodeTest {

  private static final Duration MOMENT = Duration.ofMillis(200);
  private static final List<String> SHARDS = IntStream.range(0, 9).mapToObj(i -> "s" + i).toList();

  private final SimulatedShards shards = new SimulatedShards(1);

  @BeforeEach
  void settle() {
    shards.calm();
    shards.time().advance(SimulatedShards.TTL);
    assertThat(coordinator("n2")).isEqualTo("n1");
  }

  @AfterEach
  void close() {
    shards.close();
  }

  private String coordinator(String asked) {
    return shards.process(asked).node().leader().toCompletableFuture().join().orElse("nobody");
  }

  private Map<String, Allocation> ask(String node) {
    Map<String, CompletableFuture<Allocation>> answers = new HashMap<>();
    SHARDS.forEach(shard -> answers.put(shard, shards.ask(node, shard)));
    shards.time().advance(MOMENT);
    Map<String, Allocation> allocations = new HashMap<>();
    answers.forEach((shard, answer) -> allocations.put(shard, answer.getNow(null)));
    return allocations;
  }

  @Test
  void everyNodeKnowsWhoHasAShard() {
    Map<String, Allocation> allocations = ask("n1");

    assertThat(allocations.values())
        .extracting(allocation -> allocation.region().node())
        .contains("n1", "n2", "n3");
    assertThat(ask("n2")).isEqualTo(allocations);
    assertThat(ask("n3")).isEqualTo(allocations);
  }

  @Test
  void shardsStayWithTheRegionsThatOutliveTheirCoordinator() {
    Map<String, Allocation> before = ask("n2");

    shards.crash("n1");
    shards.time().advance(SimulatedShards.TTL.multipliedBy(2));
    Map<String, Allocation> after = ask("n2");

    assertThat(coordinator("n3")).isNotEqualTo("n1");
    before.forEach(
        (shard, allocation) -> {
          Allocation now = requireNonNull(after.get(shard));
          if (allocation.region().node().equals("n1")) {
            assertThat(now.region().node()).isIn("n2", "n3");
            assertThat(now.fencingToken()).isGreaterThan(allocation.fencingToken());
          } else {
            assertThat(now).isEqualTo(allocation);
          }
        });
  }

  @Test
  void nodeThatWasPausedForTooLongComesBackWithNothing() {
    Map<String, Allocation> before = ask("n2");
    shards.pause("n1");
    shards.time().advance(SimulatedShards.TTL.multipliedBy(2));
    Map<String, Allocation> meanwhile = ask("n2");

    shards.resume("n1");
    shards.time().advance(SimulatedShards.TTL);

    assertThat(ask("n1")).isEqualTo(meanwhile).isNotEqualTo(before);
    assertThat(coordinator("n1")).isEqualTo(coordinator("n2")).isNotEqualTo("n1");
  }

  @Test
  void whatIsForwardedToANodeThatDoesNotCoordinateIsRejected() {
    CompletableFuture<Allocation> answer =
        shards.process("n2").node().requestHere("s").toCompletableFuture();

    assertThat(answer)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .withMessage("n1 coordinates; ask again");
  }

  @Test
  void closedNodeRejectsWhatIsPending() {
    shards.process("n1").node().close();
    CompletableFuture<Allocation> answer =
        shards.process("n1").node().requestHere("s").toCompletableFuture();

    assertThat(answer).isCompletedExceptionally();
  }
}
