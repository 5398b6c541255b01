package io.leasehold.harness.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs small programs of the system. */
final class Shell {

  private static final long LIMIT_SECONDS = 20;

  private Shell() {}

  /** Runs a program to its end; fails with what it said when it does not succeed. */
  static void run(String... command) throws IOException {
    run(List.of(command));
  }

  static void run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(String.join(" ", command) + ": no answer");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException(String.join(" ", command) + ": interrupted", e);
    }
    if (process.exitValue() != 0) {
      String firstLine = said.strip().lines().findFirst().orElse("exit " + process.exitValue());
      throw new IOException(String.join(" ", command) + ": " + firstLine);
    }
  }

  /** Runs a program of which it does not matter whether it succeeds, as when cleaning up. */
  static void attempt(String... command) {
    try {
      run(List.of(command));
    } catch (IOException e) {
      // Nothing was there to clean up.
    }
  }
}
