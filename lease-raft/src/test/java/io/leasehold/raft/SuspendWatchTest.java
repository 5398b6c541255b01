package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuspendWatchTest {

  private static final Duration BOOTED = Duration.ofHours(30);

  @TempDir Path folder;

  private final VirtualTime time = new VirtualTime();
  private final List<String> told = new ArrayList<>();
  private Path uptime;
  private Duration suspended = Duration.ZERO;

  @BeforeEach
  void boot() throws IOException {
    uptime = folder.resolve("uptime");
    bootTimeIs(BOOTED);
  }

  @Test
  void aSuspendIsToldOfOnceWithinTheWatchsPeriod() throws IOException {
    begin();
    pass(Duration.ofSeconds(1));

    suspended = Duration.ofSeconds(7);
    pass(Duration.ofMillis(100));
    assertThat(told).containsExactly("The machine was suspended for 7000 ms");

    pass(Duration.ofSeconds(2));
    assertThat(told).hasSize(1);
  }

  @Test
  void timeThatBothClocksCountIsNoSuspend() throws IOException {
    begin();

    pass(Duration.ofSeconds(10));

    assertThat(told).isEmpty();
  }

  @Test
  void aPauseBetweenTheTwoReadingsIsNoSuspend() throws IOException {
    begin();

    time.advance(Duration.ofSeconds(3));

    assertThat(told).as("the monotonic clock went on alone").isEmpty();
  }

  @Test
  void aFileThatCannotBeReadForAWhileDoesNotEndTheWatch() throws IOException {
    begin();
    Files.writeString(uptime, "soon\n");
    time.advance(Duration.ofMillis(500));
    Files.writeString(uptime, "");
    time.advance(Duration.ofMillis(500));
    assertThat(told).isEmpty();

    bootTimeIs(BOOTED.plusSeconds(5));
    time.advance(Duration.ofMillis(100));

    assertThat(told).hasSize(1);
  }

  @Test
  void aSuspendThatCouldNotBeToldIsToldByTheNextLook() throws IOException {
    SuspendWatch.begin(
        uptime,
        time,
        time,
        why -> {
          told.add(why);
          if (told.size() == 1) {
            throw new OutOfMemoryError("no thread left");
          }
        });
    bootTimeIs(BOOTED.plusSeconds(5));

    assertThatThrownBy(() -> time.advance(Duration.ofMillis(100)))
        .isInstanceOf(OutOfMemoryError.class);
    time.advance(Duration.ofMillis(500));

    assertThat(told).hasSize(2);
  }

  @Test
  void aClosedWatchTellsNothing() throws IOException {
    begin().close();

    bootTimeIs(BOOTED.plusSeconds(60));
    time.advance(Duration.ofSeconds(1));

    assertThat(told).isEmpty();
  }

  private SuspendWatch begin() {
    return SuspendWatch.begin(uptime, time, time, told::add);
  }

  /** In steps of the watch's period. */
  private void pass(Duration duration) throws IOException {
    long endNanos = time.nanos() + duration.toNanos();
    while (time.nanos() < endNanos) {
      bootTimeIs(BOOTED.plus(suspended).plusNanos(time.nanos()).plusMillis(100));
      time.advance(Duration.ofMillis(100));
    }
  }

  private void bootTimeIs(Duration sinceBoot) throws IOException {
    Files.writeString(
        uptime, String.format(Locale.ROOT, "%.2f 4711.11%n", sinceBoot.toNanos() / 1e9));
  }
}
