package io.leasehold.store.ratis;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.jspecify.annotations.Nullable;

/**
 * Snapshots on disk: folders named {@code snapshot.<term>_<index>}, each a complete copy of the
 * table's files. A folder appears under its name only when it is complete. {@link
 * #getLatestSnapshot} is safe for many threads, the rest belongs to the thread that applies.
 *
 * <p>When the leader sends one, Ratis verifies its files and replaces the whole folder of snapshots
 * by it; beside each file it leaves one with its MD5.
 */
final class SnapshotFiles implements StateMachineStorage {

  /** How many are kept: one to install, and the one before it, which may be on its way. */
  static final int RETAINED = 2;

  private static final Pattern NAME = Pattern.compile("snapshot\\.(\\d+)_(\\d+)");
  private static final String UNFINISHED = "unfinished";
  private static final String DIGEST = ".md5";
  private static final String TABLE_FILE = ".sst";

  private volatile @Nullable Path folder;
  private volatile @Nullable Snapshot latest;

  /**
   * A complete one.
   *
   * @param at the last entry in it
   * @param folder where its files are
   */
  private record Snapshot(TermIndex at, Path folder, SnapshotInfo info) {}

  @Override
  public void init(RaftStorage storage) throws IOException {
    Path dir = storage.getStorageDir().getStateMachineDir().toPath();
    Files.createDirectories(dir);
    deleteTree(dir.resolve(UNFINISHED));
    folder = dir;
    refresh();
  }

  @Override
  public void format() {
    // Ratis has just made the folder.
  }

  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    Snapshot current = latest;
    return current == null ? null : current.info();
  }

  /** The last entry in the newest snapshot; empty when there is none. */
  Optional<TermIndex> latest() {
    return Optional.ofNullable(latest).map(Snapshot::at);
  }

  /** Looks again: Ratis has replaced the folder. */
  void refresh() throws IOException {
    List<Snapshot> all = all();
    latest = all.isEmpty() ? null : all.get(0);
  }

  /**
   * Makes a snapshot.
   *
   * @param at the last entry in it
   * @param checkpoint puts the table's files into a folder, which must not be there before
   */
  void take(TermIndex at, Consumer<Path> checkpoint) throws IOException {
    Path dir = folder();
    Path unfinished = dir.resolve(UNFINISHED);
    deleteTree(unfinished);
    checkpoint.accept(unfinished);
    for (Path file : files(unfinished)) {
      DurableFiles.force(file);
    }
    DurableFiles.force(unfinished);
    Files.move(
        unfinished,
        dir.resolve("snapshot.%d_%d".formatted(at.getTerm(), at.getIndex())),
        StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.force(dir);
    refresh();
  }

  /**
   * Puts the newest snapshot in the place of the table, which must be closed. A crash at any moment
   * leaves the old table, the new one, or none, and none is made from the snapshot again.
   */
  void install(Path table) throws IOException {
    Snapshot from = latest;
    if (from == null) {
      throw new IllegalStateException("there is no snapshot to install");
    }
    Path replaced = table.resolveSibling(table.getFileName() + ".old");
    Path incoming = table.resolveSibling(table.getFileName() + ".new");
    deleteTree(replaced);
    deleteTree(incoming);
    Files.createDirectories(incoming);
    for (Path file : files(from.folder())) {
      Path target = incoming.resolve(from.folder().relativize(file).toString());
      // RocksDB never changes a table file; the others it may append to.
      if (file.toString().endsWith(TABLE_FILE)) {
        Files.createLink(target, file);
      } else {
        Files.copy(file, target);
      }
      DurableFiles.force(target);
    }
    DurableFiles.force(incoming);
    if (Files.exists(table)) {
      Files.move(table, replaced, StandardCopyOption.ATOMIC_MOVE);
    }
    Files.move(incoming, table, StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.force(table.resolveSibling("."));
    deleteTree(replaced);
  }

  @Override
  public void cleanupOldSnapshots(@Nullable SnapshotRetentionPolicy policy) throws IOException {
    List<Snapshot> all = all();
    for (Snapshot old : all.subList(Math.min(RETAINED, all.size()), all.size())) {
      deleteTree(old.folder());
    }
  }

  private Path folder() {
    Path dir = folder;
    if (dir == null) {
      throw new IllegalStateException("not initialized");
    }
    return dir;
  }

  /** All that are complete, newest first. */
  private List<Snapshot> all() throws IOException {
    List<Snapshot> all = new ArrayList<>();
    try (Stream<Path> entries = Files.list(folder())) {
      for (Path entry : entries.toList()) {
        Matcher name = NAME.matcher(String.valueOf(entry.getFileName()));
        if (name.matches() && Files.isDirectory(entry)) {
          all.add(
              snapshot(
                  TermIndex.valueOf(Long.parseLong(name.group(1)), Long.parseLong(name.group(2))),
                  entry));
        }
      }
    }
    all.sort(Comparator.comparing((Snapshot each) -> each.at().getIndex()).reversed());
    return all;
  }

  private static Snapshot snapshot(TermIndex at, Path folder) throws IOException {
    // Ratis computes a file's digest while it sends it.
    List<FileInfo> infos = files(folder).stream().map(file -> new FileInfo(file, null)).toList();
    return new Snapshot(at, folder, new FileListSnapshotInfo(infos, at));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> Files.isRegularFile(file) && !file.toString().endsWith(DIGEST))
          .sorted()
          .toList();
    }
  }

  /** Deletes a folder with everything in it, if it is there. */
  static void deleteTree(Path root) throws IOException {
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
                throws IOException {
              if (failure != null) {
                throw failure;
              }
              Files.deleteIfExists(dir);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NoSuchFileException e) {
      // It is not there, as wanted.
    }
  }
}
