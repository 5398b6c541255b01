package io.leasehold.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.Main;
import io.leasehold.harness.check.HistoryChecker;
import io.leasehold.harness.check.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A run that is told to end keeps what it has recorded, says where, and leaves nothing else. */
@Tag("chaos")
@Isolated
class ChaosBreakOffIT {

  @TempDir Path folder;

  @Test
  void whatWasRecordedUntilThenCanBeJudged() throws Exception {
    Path report = folder.resolve("report");
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    List<String> said = new ArrayList<>();

    Process chaos = start(report, temporary);
    try (BufferedReader out = chaos.inputReader(StandardCharsets.UTF_8)) {
      // Ends with the output, whatever happens: the rest is what the assertions are about.
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        said.add(line);
        if (line.contains("  kill n") && !line.endsWith("over")) {
          chaos.toHandle().destroy(); // Process.destroy would close its output, too.
        }
      }
      assertThat(chaos.waitFor()).isEqualTo(128 + 15);
    } finally {
      chaos.destroyForcibly();
    }

    assertThat(said)
        .contains("history  " + report.resolve("history.jsonl"), "logs     " + report)
        .anyMatch(line -> line.startsWith("broken off"));
    assertThat(report.resolve("n1.log")).exists();
    Verdict verdict = HistoryChecker.check(report.resolve("history.jsonl")).verdict();
    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.totals().granted()).isPositive();
    assertThat(leftIn(temporary)).isEmpty();
  }

  private static Process start(Path report, Path temporary) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + temporary,
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "chaos",
            "--duration=10m",
            "--faults=kill",
            "--report=" + report)
        .redirectErrorStream(true)
        .start();
  }

  private static List<Path> leftIn(Path temporary) throws IOException {
    try (Stream<Path> left = Files.list(temporary)) {
      return left.filter(path -> path.getFileName().toString().startsWith("leasehold")).toList();
    }
  }
}
