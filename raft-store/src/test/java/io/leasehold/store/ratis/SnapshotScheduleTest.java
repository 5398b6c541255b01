package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a snapshot is due. */
final class SnapshotScheduleTest {

  private final VirtualTime time = new VirtualTime();
  private final SnapshotSchedule schedule = new SnapshotSchedule(1_000, Duration.ofHours(1), time);

  @Test
  void isDueAfterSoMuchLog() {
    schedule.applied(999);
    assertThat(schedule.isDue()).isFalse();
    schedule.applied(1);
    assertThat(schedule.isDue()).isTrue();
  }

  @Test
  void isDueAfterSoLongIfThereIsAnythingNew() {
    schedule.applied(1);
    time.advance(Duration.ofMinutes(59));
    assertThat(schedule.isDue()).isFalse();
    time.advance(Duration.ofMinutes(1));
    assertThat(schedule.isDue()).isTrue();
  }

  @Test
  void isNeverDueWhileNothingHappens() {
    time.advance(Duration.ofDays(7));
    assertThat(schedule.isDue()).isFalse();
  }

  @Test
  void countsAnewFromWhereOneIsBegun() {
    schedule.applied(1_500);
    time.advance(Duration.ofMinutes(59));
    schedule.begun();

    schedule.applied(999);
    time.advance(Duration.ofMinutes(59));
    assertThat(schedule.isDue()).isFalse();
    schedule.applied(1);
    assertThat(schedule.isDue()).isTrue();
  }
}
