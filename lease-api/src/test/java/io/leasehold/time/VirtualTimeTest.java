package io.leasehold.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VirtualTimeTest {

  private final VirtualTime time = new VirtualTime();
  private final List<String> ran = new ArrayList<>();

  private Timer.Cancellable scheduleNamed(String name, long delayMillis) {
    return time.schedule(
        Duration.ofMillis(delayMillis), () -> ran.add(name + "@" + time.nanos() / 1_000_000));
  }

  @Test
  void startsAtZeroAndMovesOnlyByHand() {
    assertThat(time.nanos()).isZero();

    time.advance(Duration.ofNanos(7));

    assertThat(time.nanos()).isEqualTo(7);
  }

  @Test
  void taskRunsAtItsVeryMomentAndNotBefore() {
    scheduleNamed("a", 10);

    time.advance(Duration.ofMillis(10).minusNanos(1));
    assertThat(ran).isEmpty();
    time.advance(Duration.ofNanos(1));

    assertThat(ran).containsExactly("a@10");
  }

  @Test
  void tasksRunInTheOrderTheyFallDueEachAtItsTime() {
    scheduleNamed("late", 30);
    scheduleNamed("first", 10);
    scheduleNamed("second", 10);

    time.advance(Duration.ofMillis(100));

    assertThat(ran).containsExactly("first@10", "second@10", "late@30");
    assertThat(time.nanos()).isEqualTo(100_000_000);
  }

  @Test
  void taskScheduledByATaskRunsInTheSameAdvance() {
    Timer.Cancellable unusedTask =
        time.schedule(
            Duration.ofMillis(10),
            () -> {
              scheduleNamed("now", 0);
              scheduleNamed("later", 20);
            });
    scheduleNamed("between", 15);

    time.advance(Duration.ofMillis(30));

    assertThat(ran).containsExactly("now@10", "between@15", "later@30");
  }

  @Test
  void whatIsOverdueRunsNow() {
    scheduleNamed("negative", -5);
    scheduleNamed("zero", 0);

    time.runDue();

    assertThat(ran).containsExactly("negative@0", "zero@0");
  }

  @Test
  void cancelledTaskDoesNotRun() {
    Timer.Cancellable cancelled = scheduleNamed("cancelled", 10);
    Timer.Cancellable alreadyRun = scheduleNamed("run", 5);

    time.advance(Duration.ofMillis(5));
    cancelled.cancel();
    cancelled.cancel();
    alreadyRun.cancel();
    time.advance(Duration.ofMillis(5));

    assertThat(ran).containsExactly("run@5");
  }

  @Test
  void equalTasksAreCancelledOneByOne() {
    Runnable work = () -> ran.add("work");
    Timer.Cancellable first = time.schedule(Duration.ofMillis(1), work);
    Timer.Cancellable unusedSecond = time.schedule(Duration.ofMillis(1), work);

    first.cancel();
    time.advance(Duration.ofMillis(1));

    assertThat(ran).hasSize(1);
  }

  @Test
  void taskMayAdvanceTimeAndItNeverFalls() {
    Timer.Cancellable unusedTask =
        time.schedule(Duration.ofMillis(10), () -> time.advance(Duration.ofMillis(50)));
    scheduleNamed("meanwhile", 40);

    time.advance(Duration.ofMillis(20));

    assertThat(ran).containsExactly("meanwhile@40");
    assertThat(time.nanos()).isEqualTo(60_000_000);
  }

  @Test
  void failureOfATaskEndsTheCallAndNotTheOtherTasks() {
    Timer.Cancellable unusedTask =
        time.schedule(
            Duration.ofMillis(10),
            () -> {
              throw new IllegalStateException("broken");
            });
    scheduleNamed("other", 20);

    assertThatThrownBy(() -> time.advance(Duration.ofMillis(30))).hasMessage("broken");
    assertThat(time.nanos()).isEqualTo(10_000_000);
    time.advance(Duration.ofMillis(20));

    assertThat(ran).containsExactly("other@20");
  }

  @Test
  void timeDoesNotGoBack() {
    assertThatThrownBy(() -> time.advance(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
