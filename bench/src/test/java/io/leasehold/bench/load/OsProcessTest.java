package io.leasehold.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OsProcessTest {

  private final OsProcess own = new OsProcess(ProcessHandle.current().pid());

  @Test
  void thisProcessHasRunOccupiesMemoryAndHasThreads() {
    assertThat(own.cpuSeconds()).isPositive();
    assertThat(own.residentBytes()).isGreaterThan(1024 * 1024);
    assertThat(own.threads()).isPositive();
    assertThat(own.writtenBytes()).isNotNegative();
  }

  @Test
  void theCpuOfSeveralProcessesIsAdded() {
    double before = own.cpuSeconds();

    double twice = OsProcess.cpuSeconds(List.of(own.pid(), own.pid()));

    assertThat(twice).isGreaterThanOrEqualTo(2 * before);
  }

  @Test
  void aProcessThatIsGoneCannotBeMeasured() {
    assertThatThrownBy(() -> new OsProcess(Integer.MAX_VALUE).cpuSeconds())
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("cannot be measured");
  }
}
