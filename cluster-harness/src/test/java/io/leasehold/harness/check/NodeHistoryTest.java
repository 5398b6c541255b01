package io.leasehold.harness.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Life.Step;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeHistoryTest {

  private static final NodeHistory PAUSED_TWICE =
      new NodeHistory(
          List.of(at(0, Step.START), at(10, Step.PAUSE), at(20, Step.PAUSE), at(30, Step.RESUME)));

  @Test
  void aPauseOfWhatIsPausedIsNoNewOne() {
    assertThat(PAUSED_TWICE.pausedBetween(5, 40)).isEqualTo(20);
    assertThat(PAUSED_TWICE.runningFor(5, 10)).isEqualTo(35);
  }

  @Test
  void whatIsPausedForEverNeverRunsForLong() {
    NodeHistory paused = new NodeHistory(List.of(at(0, Step.START), at(10, Step.PAUSE)));

    assertThat(paused.runningFor(5, 5)).isEqualTo(10);
    assertThat(paused.runningFor(5, 6)).isEqualTo(Call.NEVER);
    assertThat(paused.pausedBetween(5, 40)).isEqualTo(30);
  }

  private static Life at(long at, Step step) {
    return new Life(at, "n1", 1, step);
  }
}
