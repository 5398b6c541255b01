package io.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the models of the protocol, see {@code src/test/model/README.md}. */
final class ModelIT {

  private static final Logger LOG = LoggerFactory.getLogger(ModelIT.class);

  private static final String NOT_CHECKED =
      "The models of the protocol are NOT CHECKED: spin or gcc is not installed (Debian: apt-get install spin gcc libc6-dev)";

  private static final long LIMIT_MINUTES = 10;

  @TempDir Path folder;

  @Test
  void noOrderOfEventsBreaksARuleAndEverySeededErrorIsCaught() throws Exception {
    boolean canCheck = isInstalled("spin") && isInstalled("gcc");
    if (!canCheck) {
      LOG.warn(NOT_CHECKED);
    }
    assumeTrue(canCheck, NOT_CHECKED);

    Path said = folder.resolve("said.txt");
    ProcessBuilder command =
        new ProcessBuilder("bash", "src/test/model/run-model.sh")
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    command.environment().put("TMPDIR", folder.toString());
    boolean ended = endsInTime(command.start());

    assertThat(ended).as("ended within %d minutes", LIMIT_MINUTES).isTrue();
    assertThat(Files.readAllLines(said))
        .anyMatch(line -> line.startsWith("lease: ") && line.contains("states, no error"))
        .anyMatch(line -> line.startsWith("sessions: ") && line.contains("states, no error"))
        .allMatch(line -> line.contains("states, no error") || line.endsWith(": caught"));
  }

  private static boolean endsInTime(Process process) throws InterruptedException {
    try {
      return process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private static boolean isInstalled(String program) {
    String path = System.getenv("PATH");
    return path != null
        && Arrays.stream(path.split(File.pathSeparator))
            .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }
}
