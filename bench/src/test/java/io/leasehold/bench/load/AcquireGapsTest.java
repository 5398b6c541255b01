package io.leasehold.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LeaseSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AcquireGapsTest {

  private long nowNanos;

  @Test
  void theLongestGapIsBetweenTheAcquiresOfAllCallers() {
    try (MemoryTarget target = new MemoryTarget()) {
      AcquireGaps gaps = new AcquireGaps(() -> nowNanos);
      Contender one = gaps.watched(target.contender("one", "a"));
      Contender other = gaps.watched(target.contender("other", "b"));

      gaps.begin();
      acquireAt(10, one);
      acquireAt(25, other);
      acquireAt(30, one);
      nowNanos = 35;

      assertThat(gaps.endNanos()).isEqualTo(15);
    }
  }

  @Test
  void aGapThatHasNotEndedCounts() {
    AcquireGaps gaps = new AcquireGaps(() -> nowNanos);

    gaps.begin();
    nowNanos = 40;

    assertThat(gaps.endNanos()).isEqualTo(40);
  }

  @Test
  void anAcquireThatIsRefusedEndsNoGap() {
    try (MemoryTarget target = new MemoryTarget()) {
      boolean held =
          target
              .leases()
              .lease(LeaseSettings.of("one", "stranger", Duration.ofSeconds(60)))
              .acquire()
              .toCompletableFuture()
              .join();
      assertThat(held).isTrue();
      AcquireGaps gaps = new AcquireGaps(() -> nowNanos);
      Contender refused = gaps.watched(target.contender("one", "a"));

      gaps.begin();
      nowNanos = 10;
      assertThat(refused.acquire().toCompletableFuture().join()).isFalse();
      nowNanos = 20;

      assertThat(gaps.endNanos()).isEqualTo(20);
    }
  }

  private void acquireAt(long nanos, Contender contender) {
    nowNanos = nanos;
    assertThat(contender.acquire().toCompletableFuture().join()).isTrue();
  }
}
