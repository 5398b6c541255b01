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

  @Test
  void saysHowOldTheNewestIsAndHowLongTheyTook() {
    time.advance(Duration.ofMinutes(1));
    assertThat(schedule.age()).isEqualTo(Duration.ofMinutes(1));

    for (int i = 0; i < 2; i++) {
      schedule.begun();
      time.advance(Duration.ofSeconds(3));
      schedule.taken();
    }

    assertThat(schedule.age()).isZero();
    assertThat(schedule.sinceStart())
        .isEqualTo(new SnapshotSchedule.Taken(2, Duration.ofSeconds(6)));
    time.advance(Duration.ofSeconds(5));
    schedule.installed();
    assertThat(schedule.age()).isZero();
    assertThat(schedule.sinceStart().count()).isEqualTo(2);
  }
}
