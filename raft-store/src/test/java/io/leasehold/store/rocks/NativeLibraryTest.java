package io.leasehold.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.StoreStartException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each in a process of its own: a library is loaded once in the life of a process. */
class NativeLibraryTest {

  /** What a process ends with that was killed. */
  private static final int KILLED = 137;

  @TempDir Path table;
  @TempDir Path temporary;

  @Test
  void killedProcessLeavesNothingInTheTemporaryFolder() throws Exception {
    Process process = start(temporary);

    assertThat(output(process)).isEmpty();
    assertThat(process.exitValue()).isEqualTo(KILLED);
    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void temporaryFolderThatIsNotThereIsToldInOneSentence() throws Exception {
    Process process = start(temporary.resolve("gone"));

    assertThat(output(process))
        .contains(temporary.resolve("gone").toString(), "ROCKSDB_SHAREDLIB_DIR")
        .doesNotContain("\n");
    assertThat(process.exitValue()).isEqualTo(1);
  }

  private Process start(Path temporaryFolder) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Djava.io.tmpdir=" + temporaryFolder,
            "-XX:-UsePerfData",
            "-cp",
            System.getProperty("java.class.path"),
            Opening.class.getName(),
            table.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT) // newer JVMs warn there of native code
        .start();
  }

  private static String output(Process process) throws Exception {
    List<String> lines;
    try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
      lines = reader.lines().toList();
    }
    process.waitFor(1, TimeUnit.MINUTES);
    return String.join("\n", lines);
  }

  /** Opens a table and ends without a chance to clean up, as by SIGKILL. */
  static final class Opening {

    private Opening() {}

    public static void main(String[] args) {
      try {
        Database.open(Path.of(args[0]));
      } catch (StoreStartException e) {
        System.out.println(e.getMessage());
        Runtime.getRuntime().halt(1);
      }
      Runtime.getRuntime().halt(KILLED);
    }
  }
}
