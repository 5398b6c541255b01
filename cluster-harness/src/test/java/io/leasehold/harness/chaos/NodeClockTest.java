package io.leasehold.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Stamps of a node's clock become stamps of ours, as exactly as is known. */
class NodeClockTest {

  @Test
  void knownOffsetIsSubtractedExactly() {
    NodeClock clock = NodeClock.ahead(3_700_000_000_000_123L);

    assertThat(clock.toOurs(3_700_000_000_000_123L + 42)).isEqualTo(42);
    assertThat(clock.errorNanos()).isZero();
  }

  @Test
  void readingsNarrowADriftingClockDown() {
    // The node's clock was 1000 when ours was 5_000_000, and runs a tenth faster.
    NodeClock clock = new NodeClock(1.1, 1_000, 5_000_300);
    clock.observe(4_990_000, 1_000, 5_200_000);
    clock.observe(5_995_000, 1_000 + 1_100_000, 6_001_000);

    assertThat(clock.isConsistent()).isTrue();
    long translated = clock.toOurs(1_000 + 110_000_000);
    assertThat(Math.abs(translated - 105_000_000)).isLessThanOrEqualTo(clock.errorNanos());
    assertThat(clock.errorNanos()).isBetween(3_000L, 30_000L);
  }

  @Test
  void readingsThatFitNoClockOfTheRateShow() {
    NodeClock clock = new NodeClock(1.1, 0, 0);
    clock.observe(0, 0, 1_000);
    clock.observe(1_000_000_000, 1_000_000_000, 1_000_001_000);

    assertThat(clock.isConsistent()).isFalse();
  }
}
