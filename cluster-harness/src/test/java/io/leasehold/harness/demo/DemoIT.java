package io.leasehold.harness.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.leasehold.harness.wire.Wire;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demonstration as a newcomer runs it: from the jar. */
@Isolated
final class DemoIT {

  private static final Path JAR = Path.of("target", "cluster-harness.jar").toAbsolutePath();
  private static final Pattern PID = Pattern.compile("is up: pid ([0-9]+)");

  @TempDir Path temporary;

  @Test
  void everyPromiseHoldsAndNothingStaysBehind() throws IOException, InterruptedException {
    Process demo = start();
    List<JsonNode> lines = new ArrayList<>();
    try (BufferedReader reader = demo.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(Wire.tree(line.getBytes(StandardCharsets.UTF_8)));
      }
    }

    assertThat(demo.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(lines.stream().filter(line -> line.path("kind").asText().equals("promise")))
        .as("promises")
        .hasSizeGreaterThanOrEqualTo(14)
        .allMatch(line -> line.path("held").asBoolean());
    assertThat(lines.stream().map(line -> line.path("scene").asText()).distinct())
        .containsExactly("start", "contention", "kill", "pause", "leader", "end");
    JsonNode end = lines.get(lines.size() - 1);
    assertThat(end.path("kind").asText()).isEqualTo("end");
    assertThat(end.path("broken").asInt(-1)).isZero();
    assertThat(demo.exitValue()).isZero();
    assertThat(lines.stream().map(line -> line.path("text").asText()).mapToLong(DemoIT::pid))
        .allMatch(DemoIT::isGone);
    assertThat(temporary).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void endedDemonstrationLeavesNoProcess(boolean byForce) throws IOException {
    Process demo = start();
    List<Long> nodes = new ArrayList<>();
    try (BufferedReader reader = demo.inputReader(StandardCharsets.UTF_8)) {
      while (nodes.size() < 3) {
        String line = reader.readLine();
        assertThat(line).as("a demonstration that goes on").isNotNull();
        long pid = pid(line);
        if (pid > 0) {
          nodes.add(pid);
        }
      }
      assertThat(nodes).noneMatch(DemoIT::isGone);

      if (byForce) {
        demo.destroyForcibly();
      } else {
        demo.destroy();
      }

      await("the end of its nodes")
          .atMost(Duration.ofSeconds(20))
          .until(() -> nodes.stream().allMatch(DemoIT::isGone));
      if (!byForce) {
        await("its end").until(() -> !demo.isAlive());
        assertThat(temporary).isEmptyDirectory();
      }
    } finally {
      demo.destroyForcibly();
    }
  }

  private Process start() throws IOException {
    assertThat(JAR).as("made by mvn package").isRegularFile();
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new ProcessBuilder(
            java.toString(),
            "-Djava.io.tmpdir=" + temporary,
            "-jar",
            JAR.toString(),
            "demo",
            "--json")
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static long pid(String text) {
    Matcher matcher = PID.matcher(text);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
  }

  private static boolean isGone(long pid) {
    return pid == 0 || ProcessHandle.of(pid).map(process -> !process.isAlive()).orElse(true);
  }
}
