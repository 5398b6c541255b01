package io.leasehold.harness.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder for the time of a run, removed with all that is in it. */
record WorkFolder(Path path) implements AutoCloseable {

  static WorkFolder create() throws IOException {
    return new WorkFolder(Files.createTempDirectory("leasehold-chaos-work-"));
  }

  @Override
  public void close() {
    try (Stream<Path> all = Files.walk(path)) {
      for (Path next : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(next);
      }
    } catch (IOException | UncheckedIOException e) {
      // What is left is in the system's folder for such things, and harms nobody.
    }
  }
}
