package io.leasehold.store.ratis;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.ratis.server.storage.RaftStorageDirectory;

/**
 * What Ratis leaves behind when it receives a leader's snapshot. It collects the files beside the
 * folder of snapshots, renames that folder away, puts the new one in its place, and deletes the old
 * one.
 */
final class InstallLeftovers {

  private static final String REPLACED = ".tmp";
  private static final String INCOMING = RaftStorageDirectory.TMP_DIR_NAME;
  private static final Duration STALE = Duration.ofMinutes(10);

  private InstallLeftovers() {}

  /**
   * Puts back what a crash has left when Ratis was replacing the snapshots, and clears away what it
   * left of installs that came to nothing. To be called before anybody uses the folder.
   *
   * @param dir the folder of snapshots
   */
  static void repair(Path dir) throws IOException {
    Path group = dir.resolveSibling(".");
    if (!Files.isDirectory(group)) {
      return;
    }
    List<Path> replaced = new ArrayList<>();
    try (DirectoryStream<Path> found =
        Files.newDirectoryStream(group, dir.getFileName() + REPLACED + "*")) {
      found.forEach(replaced::add);
    }
    if (!Files.exists(dir) && !replaced.isEmpty()) {
      Path last = Collections.max(replaced); // named by their times
      Files.move(last, dir, StandardCopyOption.ATOMIC_MOVE);
      DurableFiles.force(group);
      replaced.remove(last);
    }
    for (Path old : replaced) {
      DurableFiles.deleteTree(old);
    }
    DurableFiles.deleteTree(dir.resolveSibling(INCOMING));
  }

  /**
   * Deletes what Ratis has received of snapshots that were never whole; what is young may still
   * become so.
   *
   * @param dir the folder of snapshots
   */
  static void deleteStale(Path dir) throws IOException {
    Path incoming = dir.resolveSibling(INCOMING);
    if (!Files.isDirectory(incoming)) {
      return;
    }
    List<Path> stale;
    try (Stream<Path> all = Files.list(incoming)) {
      stale = all.filter(InstallLeftovers::isStale).toList();
    }
    for (Path each : stale) {
      DurableFiles.deleteTree(each);
    }
  }

  private static boolean isStale(Path folder) {
    long age = System.currentTimeMillis() - folder.toFile().lastModified();
    return age > STALE.toMillis();
  }
}
