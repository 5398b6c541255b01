package io.leasehold.harness.shards;

import static io.leasehold.harness.shards.Verdict.ACCEPTED;
import static io.leasehold.harness.shards.Verdict.GONE;
import static io.leasehold.harness.shards.Verdict.STALE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class ShardRegionTest {

  private static final RegionId LIFE = new RegionId("n1", 5);

  private final List<ShardEvent> events = new ArrayList<>();
  private final FakeHold hold = new FakeHold(LIFE.token());
  private final ShardRegion region =
      new ShardRegion("n1", hold, new ShardLog("n1", () -> 0, events::add));

  private static Allocation allocation(String shard, long token) {
    return new Allocation(shard, LIFE, token);
  }

  /** What a coordinator says to the region. */
  private interface Call extends Function<ShardRegion, Verdict> {}

  private static Call takeOver(long token) {
    return region -> region.takeOver(token).verdict();
  }

  private static Call allocate(long token) {
    return region -> region.accept(allocation("s", token));
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        argumentSet("the first one is obeyed", List.of(allocate(3)), List.of(ACCEPTED)),
        argumentSet(
            "the same one is obeyed again",
            List.of(takeOver(3), allocate(3), allocate(3), takeOver(3)),
            List.of(ACCEPTED, ACCEPTED, ACCEPTED, ACCEPTED)),
        argumentSet(
            "a takeover fences the older one out",
            List.of(takeOver(3), takeOver(4), allocate(3), takeOver(3), allocate(4)),
            List.of(ACCEPTED, ACCEPTED, STALE, STALE, ACCEPTED)),
        argumentSet(
            "an allocation fences the older one out",
            List.of(allocate(4), allocate(3), takeOver(3)),
            List.of(ACCEPTED, STALE, STALE)));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void newestCoordinatorIsObeyed(List<Call> calls, List<Verdict> verdicts) {
    assertThat(calls.stream().map(call -> call.apply(region))).isEqualTo(verdicts);
  }

  @Test
  void takeoverIsToldWhatWasAcceptedUnderAnyCoordinator() {
    region.accept(allocation("s1", 3));
    region.takeOver(4);
    region.accept(allocation("s2", 4));
    region.accept(allocation("s3", 3));

    assertThat(region.takeOver(6))
        .isEqualTo(
            new RegionReport(ACCEPTED, LIFE, List.of(allocation("s1", 3), allocation("s2", 4))));
    assertThat(region.takeOver(5)).isEqualTo(new RegionReport(STALE, LIFE, List.of()));
  }

  @Test
  void allocationForAnotherLifeIsRefused() {
    assertThat(region.accept(new Allocation("s", new RegionId("n1", 4), 3))).isEqualTo(GONE);

    assertThat(region.takeOver(3).allocations()).isEmpty();
  }

  @Test
  void regionThatHasLostItsLeaseRefusesAllAndClaimsNothing() {
    region.accept(allocation("s", 3));
    events.clear();

    hold.lose();
    region.claim();

    assertThat(region.accept(allocation("t", 3))).isEqualTo(GONE);
    assertThat(region.takeOver(3)).isEqualTo(new RegionReport(GONE, LIFE, List.of()));
    assertThat(events).extracting(ShardEvent::kind).containsExactly(ShardEvent.Kind.REFUSED);
  }
}
