package io.leasehold.harness.node;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * This process' claim on a data folder, so that a second one, which the store refuses, does not
 * write into the log of the first. Lasts until the process ends, however it ends.
 */
final class FolderClaim {

  private static final String FILE = "node.lock";

  private static @Nullable FileLock held;

  private FolderClaim() {}

  /**
   * Claims a folder.
   *
   * @return false when another process has it
   * @throws IOException when it cannot be written
   */
  static synchronized boolean take(Path folder) throws IOException {
    Files.createDirectories(folder);
    FileChannel file =
        FileChannel.open(folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    held = file.tryLock();
    if (held == null) {
      file.close();
    }
    return held != null;
  }
}
