package io.leasehold.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaseSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LoopsTest {

  private static final Duration WARM_UP = Duration.ofMillis(20);
  private static final Duration DURATION = Duration.ofMillis(200);

  @ParameterizedTest
  @EnumSource(CallerStyle.class)
  void everyCycleIsCountedOnceWithBothLatencies(CallerStyle style) {
    try (MemoryTarget target = new MemoryTarget()) {
      Cycles cycles = Cycles.measure(target, 4, style, WARM_UP, DURATION);

      assertThat(cycles.cycles()).isPositive();
      assertThat(cycles.acquires().getTotalCount()).isEqualTo(cycles.cycles());
      assertThat(cycles.releases().getTotalCount()).isEqualTo(cycles.cycles());
      assertThat(cycles.failures()).isZero();
      assertThat(cycles.callers()).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource(CallerStyle.class)
  void noLeaseStaysHeldWhenTheCallersHaveStopped(CallerStyle style) {
    try (MemoryTarget target = new MemoryTarget()) {
      Cycles unused = Cycles.measure(target, 4, style, WARM_UP, DURATION);

      assertThat(target.leases().inspector().list().toCompletableFuture().join()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(CallerStyle.class)
  void aLeaseThatSomebodyElseHoldsEndsTheMeasurement(CallerStyle style) {
    try (MemoryTarget target = new MemoryTarget()) {
      boolean held =
          target
              .leases()
              .lease(LeaseSettings.of("of-caller0", "stranger", Duration.ofSeconds(60)))
              .acquire()
              .toCompletableFuture()
              .join();
      assertThat(held).isTrue();

      assertThatThrownBy(() -> Cycles.measure(target, 1, style, Duration.ofSeconds(30), DURATION))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("held by another");
    }
  }

  @Test
  void aContendedLeaseGoesRoundInOrder() {
    try (MemoryTarget target = new MemoryTarget()) {
      HandOvers result = HandOvers.measure(target, 4, WARM_UP, DURATION);

      assertThat(result.grants()).isPositive();
      assertThat(result.handOvers().getTotalCount()).isEqualTo(result.grants());
    }
  }
}
