package io.leasehold.store.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.codec.RowCodec;
import io.leasehold.store.rocks.RocksLeaseTable;
import io.leasehold.store.rocks.TableException;
import io.leasehold.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
 * table's files. A folder appears under its name only when it is complete. Safe for many threads,
 * of which one at a time makes a snapshot.
 *
 * <p>When the leader sends one, Ratis verifies its files and replaces the whole folder of snapshots
 * by it; beside each file it leaves one with its MD5. Between {@link #replacing} and {@link
 * #installed} nothing else gets into that folder.
 */
final class SnapshotFiles implements StateMachineStorage {

  /** How many are kept: the newest one to install, and the one before it, up to the log. */
  static final int RETAINED = 2;

  private static final Pattern NAME = Pattern.compile("snapshot\\.(\\d+)_(\\d+)");

  /** How many are kept at most while a member may be getting one of them. */
  static final int RETAINED_MAX = 10;

  private static final String DIGEST = ".md5";
  private static final String TABLE_FILE = ".sst";

  /** For so long after an install Ratis may not have gone on yet, and would forget the next one. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  private final Path unfinished;
  private final Ticker ticker;
  private volatile @Nullable Path folder;
  private volatile @Nullable Snapshot latest;
  private volatile long replacements;

  @GuardedBy("this")
  private boolean isBeingReplaced;

  @GuardedBy("this")
  private boolean isBeingInstalled;

  @GuardedBy("this")
  private long installedNanos;

  /**
   * @param unfinished where a snapshot is made, on the same file system as where it is to be
   * @param ticker the monotonic clock of this machine
   */
  SnapshotFiles(Path unfinished, Ticker ticker) {
    this.unfinished = unfinished;
    this.ticker = ticker;
    this.installedNanos = ticker.nanos() - SETTLING.toNanos();
  }

  /**
   * A complete one.
   *
   * @param at the last entry in it
   * @param folder where its files are
   */
  private record Snapshot(TermIndex at, Path folder, SnapshotInfo info) {}

  @Override
  public void init(RaftStorage storage) throws IOException {
    open(storage.getStorageDir().getStateMachineDir().toPath());
  }

  /** Uses this folder, which is made if it is not there. */
  synchronized void open(Path dir) throws IOException {
    Files.createDirectories(dir);
    DurableFiles.deleteTree(unfinished);
    folder = dir;
    isBeingReplaced = false;
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

  private synchronized void refresh() throws IOException {
    List<Snapshot> all = all();
    latest = all.isEmpty() ? null : all.get(0);
  }

  /** Returns the folder to make a snapshot in, which is not there. */
  Path begin() throws IOException {
    DurableFiles.deleteTree(unfinished);
    return unfinished;
  }

  /**
   * Makes a snapshot of the files that have been put where {@link #begin} said.
   *
   * @param at the last entry in it
   * @return whether it is one now; not while all of them are being replaced
   */
  boolean publish(TermIndex at) throws IOException {
    for (Path file : files(unfinished)) {
      DurableFiles.force(file);
    }
    DurableFiles.force(unfinished);
    synchronized (this) {
      if (isBeingReplaced) {
        return false;
      }
      Path dir = folder();
      Files.move(
          unfinished,
          dir.resolve("snapshot.%d_%d".formatted(at.getTerm(), at.getIndex())),
          StandardCopyOption.ATOMIC_MOVE);
      DurableFiles.force(dir);
      refresh();
      return true;
    }
  }

  /** Returns how often all of them have been replaced, or begun to be. */
  long replacements() {
    return replacements;
  }

  /** Whether they are, or the table that is made of the new one is not open yet. */
  synchronized boolean isBeingReplaced() {
    return isBeingReplaced;
  }

  /**
   * Ratis is about to replace all of them by one of the leader's.
   *
   * @throws IllegalStateException while the one before has not become the table: Ratis would forget
   *     that there is another, and go on with the log that comes after it
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock
  synchronized void replacing() {
    if (isBeingInstalled
        || (isBeingReplaced && hasAnotherOnDisk())
        || ticker.nanos() - installedNanos < SETTLING.toNanos()) {
      throw new IllegalStateException(
          "the leader's last snapshot is still being installed: send this one again");
    }
    isBeingReplaced = true;
    replacements++;
  }

  /** Whether Ratis has replaced them; it may have failed to. */
  private boolean hasAnotherOnDisk() {
    try {
      List<Snapshot> all = all();
      return !all.isEmpty() && !latest().equals(Optional.of(all.get(0).at()));
    } catch (IOException e) {
      return false;
    }
  }

  /** Ratis has replaced them, without waiting for the disk. */
  synchronized void replaced() throws IOException {
    isBeingInstalled = true;
    Path dir = folder();
    for (Snapshot snapshot : all()) {
      for (Path file : files(snapshot.folder())) {
        DurableFiles.force(file);
      }
      DurableFiles.force(snapshot.folder());
    }
    DurableFiles.force(dir);
    DurableFiles.force(dir.resolve(".."));
    refresh();
  }

  /** The table has become that of the new one. */
  synchronized void installed() {
    isBeingReplaced = false;
    isBeingInstalled = false;
    installedNanos = ticker.nanos();
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
    DurableFiles.deleteTree(replaced);
    DurableFiles.deleteTree(incoming);
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
    requireWhole(incoming, from.at());
    if (Files.exists(table)) {
      Files.move(table, replaced, StandardCopyOption.ATOMIC_MOVE);
    }
    Files.move(incoming, table, StandardCopyOption.ATOMIC_MOVE);
    DurableFiles.force(table.resolveSibling("."));
    DurableFiles.deleteTree(replaced);
  }

  private static void requireWhole(Path copy, TermIndex at) {
    RowCodec.Applied found;
    try {
      found = RocksLeaseTable.verifyCopy(copy);
    } catch (TableException e) {
      throw damaged(at, String.valueOf(e.getMessage()), e);
    }
    if (!isOf(at, found)) {
      throw damaged(at, "it has what there was at entry " + found.index(), null);
    }
  }

  /** Whether what a table shows is what this entry has left. */
  static boolean isOf(TermIndex at, RowCodec.Applied applied) {
    return at.getIndex() == applied.index() && at.getTerm() == applied.term();
  }

  private static StoreStartException damaged(TermIndex at, String how, @Nullable Throwable cause) {
    return new StoreStartException(
        "the snapshot of entry %d is damaged (%s): %s"
            .formatted(at.getIndex(), how, StartFailures.LOST),
        cause);
  }

  /**
   * Deletes what is not needed any more.
   *
   * @param sharedIndex the last entry that all members have which are on their way to this one's
   *     log
   * @return the oldest one that is left, unless it is the only one: the log before it is not needed
   */
  synchronized OptionalLong retain(long sharedIndex) throws IOException {
    InstallLeftovers.deleteStale(folder());
    List<Snapshot> all = all();
    if (all.size() < RETAINED) {
      return OptionalLong.empty();
    }
    boolean isNeeded = sharedIndex < all.get(RETAINED - 1).at().getIndex();
    int count = Math.min(isNeeded ? RETAINED_MAX : RETAINED, all.size());
    for (Snapshot old : all.subList(count, all.size())) {
      DurableFiles.deleteTree(old.folder());
    }
    return OptionalLong.of(all.get(count - 1).at().getIndex());
  }

  @Override
  public void cleanupOldSnapshots(@Nullable SnapshotRetentionPolicy policy) {
    // Whoever makes them knows which are needed.
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
}
