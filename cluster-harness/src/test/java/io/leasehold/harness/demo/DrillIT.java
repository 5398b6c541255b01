package io.leasehold.harness.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The drills as operators run them: from the jar. */
@Isolated
final class DrillIT {

  private static final Path JAR = Path.of("target", "cluster-harness.jar").toAbsolutePath();

  @TempDir Path temporary;

  @ParameterizedTest
  @EnumSource
  void everyPromiseHoldsAndNothingStaysBehind(Drill drill)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-jar",
                JAR.toString(),
                "drill",
                drill.word())
            .redirectErrorStream(true)
            .start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    int code = process.waitFor();
    assumeThat(told).as("a disk to fill").doesNotContain("has to run as root");
    assertThat(code).as(told).isZero();
    assertThat(told).contains("✓ ").doesNotContain("✗");
    assertThat(temporary).isEmptyDirectory();
  }
}
