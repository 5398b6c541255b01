package io.leasehold.harness.shards;

import static io.leasehold.harness.shards.ShardEvent.Kind.ACCEPTED;
import static io.leasehold.harness.shards.ShardEvent.Kind.BEGUN;
import static io.leasehold.harness.shards.ShardEvent.Kind.COORDINATES;
import static io.leasehold.harness.shards.ShardEvent.Kind.DECIDED;
import static io.leasehold.harness.shards.ShardEvent.Kind.ENDED;
import static io.leasehold.harness.shards.ShardEvent.Kind.HOSTS;
import static io.leasehold.harness.shards.ShardEvent.Kind.OBEYS;
import static io.leasehold.harness.shards.ShardEvent.Kind.REFUSED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ShardJudgeTest {

  private static final RegionId R1 = new RegionId("n1", 1);
  private static final RegionId R2 = new RegionId("n2", 2);

  private static ShardEvent coordinator(ShardEvent.Kind kind, long at, long token) {
    return new ShardEvent(kind, at, "n1", token, 0, null);
  }

  private static ShardEvent decided(long at, RegionId region, long token) {
    return new ShardEvent(DECIDED, at, "n1", token, 0, new Allocation("s", region, token));
  }

  private static ShardEvent hosts(long at, RegionId region) {
    return new ShardEvent(HOSTS, at, region.node(), 0, region.token(), null);
  }

  private static ShardEvent obeys(long at, RegionId region, long token) {
    return new ShardEvent(OBEYS, at, region.node(), token, region.token(), null);
  }

  private static ShardEvent accepted(long at, RegionId region, long token) {
    Allocation allocation = new Allocation("s", region, token);
    return new ShardEvent(ACCEPTED, at, region.node(), token, region.token(), allocation);
  }

  @Test
  void takeoverAfterTheEndOfCoordinatorAndRegionIsFine() {
    List<ShardEvent> n1 =
        List.of(
            coordinator(BEGUN, 1, 10),
            coordinator(COORDINATES, 2, 10),
            decided(3, R1, 10),
            accepted(4, R1, 10),
            hosts(9, R1),
            coordinator(COORDINATES, 9, 10),
            coordinator(ENDED, 50, 10));
    List<ShardEvent> n2 =
        List.of(
            coordinator(BEGUN, 10, 11),
            decided(11, R2, 11),
            obeys(12, R2, 11),
            accepted(12, R2, 11),
            new ShardEvent(REFUSED, 40, "n2", 10, R2.token(), new Allocation("t", R2, 10)));

    assertThat(ShardJudge.violations(List.of(n1, n2))).isEmpty();
  }

  static Stream<Arguments> forgeries() {
    return Stream.of(
        argumentSet(
            "a coordinator decides while its successor does",
            List.of(
                List.of(coordinator(COORDINATES, 1, 10), decided(6, R1, 10)),
                List.of(coordinator(COORDINATES, 5, 11))),
            "coordinators are live together"),
        argumentSet(
            "a shard is accepted while another region has it",
            List.of(
                List.of(decided(1, R1, 10), accepted(2, R1, 10), hosts(6, R1)),
                List.of(decided(5, R2, 10), accepted(5, R2, 10))),
            "regions with s are live together"),
        argumentSet(
            "a region obeys an older coordinator",
            List.of(
                List.of(
                    decided(1, R1, 10),
                    decided(2, R1, 11),
                    accepted(3, R1, 11),
                    accepted(4, R1, 10))),
            "obeyed after a greater token"),
        argumentSet(
            "a region accepts what it was told not to",
            List.of(List.of(decided(1, R1, 10), obeys(2, R1, 11), accepted(3, R1, 10))),
            "obeyed after a greater token"),
        argumentSet(
            "nobody has decided",
            List.of(List.of(decided(1, R2, 10), accepted(2, R1, 10))),
            "nobody had decided"),
        argumentSet(
            "it is decided later",
            List.of(List.of(accepted(1, R1, 10), decided(2, R1, 10))),
            "nobody had decided"),
        argumentSet(
            "a coordinator goes on after its end",
            List.of(List.of(coordinator(ENDED, 1, 10), decided(2, R1, 10))),
            "decided after its end"));
  }

  @ParameterizedTest
  @MethodSource("forgeries")
  void brokenPromiseIsNamed(List<List<ShardEvent>> parts, String promise) {
    assertThat(ShardJudge.violations(parts)).singleElement().asString().startsWith(promise);
  }
}
