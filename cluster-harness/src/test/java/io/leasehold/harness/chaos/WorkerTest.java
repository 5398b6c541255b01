package io.leasehold.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerTest {

  @TempDir Path folder;

  /** It is a loss untold only where somebody lived who could have told it. */
  @Test
  void itsEndIsWhenItCameAndNotWhenItWasLookedAt() throws Exception {
    AtomicLong clock = new AtomicLong(5);
    Worker worker =
        Worker.start(List.of("sh", "-c", "read line"), folder.resolve("log"), clock::get);
    assertThat(worker.isAlive()).isTrue();
    clock.set(7);

    worker.tell("end");

    assertThat(worker.endsWithin(Duration.ofSeconds(10))).isTrue();
    assertThat(worker.endedAt()).isEqualTo(7);
    clock.set(100);
    assertThat(worker.endedAt()).isEqualTo(7);
  }
}
