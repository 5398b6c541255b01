package io.leasehold.store.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LimitsTest {

  @ParameterizedTest
  @CsvSource({"0,0,1,1,1", "1,-1,1,1,1", "1,0,0,1,1", "1,0,1,0,1", "1,0,1,1,0"})
  void everyLimitLeavesRoomForSomething(
      int commands, int waiters, int leases, int sessions, int news) {
    assertThatThrownBy(() -> new Limits(commands, waiters, leases, sessions, news))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nobodyNeedsToBeAbleToWait() {
    assertThat(new Limits(1, 0, 1, 1, 1).waitersPerLease()).isZero();
  }

  @Test
  void sequencesAreCountedFromOne() {
    assertThatThrownBy(() -> Batch.of(Cast.A, 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sequence must be positive: 0");
  }
}
