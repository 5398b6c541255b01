package io.leasehold.store.ratis;

import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.codec.RowCodec;
import io.leasehold.store.codec.UnreadableEntryException;
import io.leasehold.store.rocks.RocksLeaseTable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorageDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A node's data folder: whose it is, and that one process at a time uses it. Confined to the thread
 * that starts and the one that closes the node, but for what it hands out.
 *
 * <pre>
 * node.properties   whose folder this is, its format, and whether it has ever been in the group
 * node.term         the term it was in when its vote on disk was empty or old
 * node.lock         locked while a process uses the folder
 * raft/             Ratis' log, votes and snapshots
 * table/            the leases
 * snapshot.new/     a snapshot that is being made
 * backup.new/       copies of the table that are being put into backups
 * </pre>
 *
 * <p>A member that has forgotten its vote can help to elect two leaders in one term. So a folder
 * that says it has been in the group and has lost its {@code raft/} is refused, never formatted
 * again.
 */
final class NodeFolder implements AutoCloseable {

  private static final String LOCK = "node.lock";
  private static final String SNAPSHOTS = RaftStorageDirectory.STATE_MACHINE_DIR_NAME;

  private final Path root;
  private final StoreConfig config;
  private @Nullable FileChannel lockChannel;
  private @Nullable NodeIdentity identity;
  private @Nullable VoteFile vote;

  private NodeFolder(Path root, StoreConfig config) {
    this.root = root;
    this.config = config;
  }

  /** Opens the folder for this process alone; makes it if it is not there. */
  static NodeFolder open(StoreConfig config) {
    return open(config, NodeFolder::identify);
  }

  /**
   * Opens an empty folder, to be given a table from a backup. It becomes this node's at last, by
   * {@link #begin}.
   */
  static NodeFolder openEmpty(StoreConfig config) {
    return open(config, NodeFolder::requireEmpty);
  }

  private interface Opening {
    void of(NodeFolder folder) throws IOException;
  }

  private static NodeFolder open(StoreConfig config, Opening opening) {
    Path root = config.folder().toAbsolutePath().normalize();
    NodeFolder folder = new NodeFolder(root, config);
    try {
      Files.createDirectories(root);
      folder.lock();
    } catch (IOException e) {
      if (DiskFailure.isFull(e)) {
        throw StartFailures.diskIsFull(config, e);
      }
      throw new StoreStartException(
          "folder %s cannot be written (%s): give this node a folder of its own that it may write"
              .formatted(root, reason(e)),
          e);
    }
    try {
      opening.of(folder);
      return folder;
    } catch (IOException e) {
      folder.close();
      if (DiskFailure.isFull(e)) {
        throw StartFailures.diskIsFull(config, e);
      }
      throw new StoreStartException(
          "folder %s cannot be read or written (%s): check its disk and permissions"
              .formatted(root, reason(e)),
          e);
    } catch (RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  Path root() {
    return root;
  }

  /** Where Ratis keeps what it must not forget. */
  Path raft() {
    return root.resolve("raft");
  }

  /** Where the leases are. */
  Path table() {
    return table(root);
  }

  /** Where a snapshot is made before it goes to the others. */
  Path unfinishedSnapshot() {
    return root.resolve("snapshot.new");
  }

  private Path backups() {
    return root.resolve("backup.new");
  }

  /** Returns where a copy of the table may be made for a backup; nobody else gets the same. */
  Path unfinishedBackup() throws IOException {
    Files.createDirectories(backups());
    return backups().resolve(UUID.randomUUID().toString());
  }

  /** Where the leases are in a node's folder. */
  static Path table(Path root) {
    return root.resolve("table");
  }

  private void lock() throws IOException {
    FileChannel channel =
        FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Held by this very process; the same as by another one.
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw new StoreStartException(
          "folder %s is in use by another node: stop that one, or give this one another folder"
              .formatted(root),
          null);
    }
    lockChannel = channel;
  }

  /** Returns what is noted for ever of this folder. */
  NodeIdentity identity() {
    return opened(identity);
  }

  /** Returns the file of this member's vote; there is none before there is a group. */
  VoteFile vote() {
    return opened(vote);
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the folder is not open yet");
    }
    return part;
  }

  private void identify() throws IOException {
    if (Files.exists(root.resolve(NodeIdentity.FILE))) {
      identity = NodeIdentity.read(root, config);
    } else if (holdsSomething()) {
      throw new StoreStartException(
          "folder %s is not empty and not a node's: give this node an empty folder".formatted(root),
          null);
    } else {
      identity = NodeIdentity.create(root, config);
    }
    DurableFiles.deleteTree(backups());
    Files.createDirectories(raft());
    if (!identity().hasGroup()) {
      return;
    }
    InstallLeftovers.repair(raftGroup().resolve(SNAPSHOTS));
    LogTail.repair(raftGroup());
    vote = new VoteFile(root, raftGroup(), identity().peer().toString());
    vote().restore(identity().hasJoined());
    requireRaftState();
  }

  private void requireEmpty() throws IOException {
    if (Files.exists(root.resolve(NodeIdentity.FILE)) || holdsSomething()) {
      throw new StoreStartException(
          "folder %s is not empty: restore into an empty folder".formatted(root), null);
    }
  }

  /**
   * Makes this the folder of a member of a cluster that is to begin with the table that is here.
   *
   * @param origin what its cluster begins with
   */
  void begin(NodeIdentity.Origin origin) throws IOException {
    identity = NodeIdentity.restored(root, config, origin);
  }

  /**
   * Makes this the folder of a group, of which it has nothing yet; for ever.
   *
   * @param founds whether the group begins with this node. Then it begins with the table that is
   *     here, as if this member had stopped right after a snapshot; otherwise with the others'
   */
  void enter(RaftGroup group, boolean founds) throws IOException {
    Path files = raft().resolve(group.getGroupId().getUuid().toString());
    DurableFiles.deleteTree(raft()); // of an attempt that was broken off
    Files.createDirectories(raft());
    VoteFile votes = new VoteFile(root, files, identity().peer().toString());
    if (founds && !identity().origin().equals(NodeIdentity.Origin.NOTHING)) {
      if (!Files.exists(table())) {
        throw new StoreStartException(
            "folder %s has lost the table that was restored into it: empty it, and restore it again"
                .formatted(root),
            null);
      }
      SnapshotFiles snapshots = new SnapshotFiles(unfinishedSnapshot(), System::nanoTime);
      snapshots.open(files.resolve(SNAPSHOTS));
      RowCodec.Applied at;
      try (RocksLeaseTable table = RocksLeaseTable.open(table())) {
        at = table.checkpoint(snapshots.begin());
      }
      snapshots.publish(TermIndex.valueOf(at.term(), at.index()));
      votes.make(at.term());
    } else {
      DurableFiles.deleteTree(table());
    }
    identity().enter(group, founds);
    vote = votes;
  }

  /** Empties a folder that was empty when it was opened. */
  void clear() throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      for (Path entry : entries.filter(entry -> !entry.endsWith(LOCK)).toList()) {
        DurableFiles.deleteTree(entry);
      }
    }
  }

  private void requireRaftState() {
    if (identity().hasJoined() && !vote().exists()) {
      throw new StoreStartException(
          "folder %s has been in the group and has lost its Raft state: %s"
              .formatted(root, StartFailures.LOST),
          null);
    }
  }

  private boolean holdsSomething() throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.anyMatch(
          entry -> !entry.endsWith(LOCK) && !entry.endsWith(NodeIdentity.FILE + ".new"));
    }
  }

  /**
   * Refuses a folder whose log cannot make the table by itself.
   *
   * @throws StoreStartException if the log does not begin at its beginning
   */
  void requireWholeLog() throws IOException {
    OptionalLong first = LogTail.firstIndex(raftGroup());
    if (first.isPresent() && first.getAsLong() > 0) {
      throw new StoreStartException(
          "folder %s has lost its snapshots, and its log only begins at entry %d: %s"
              .formatted(root, first.getAsLong(), StartFailures.LOST),
          null);
    }
  }

  /**
   * Refuses a folder whose log ends before what the table has: it has voted for what it lost, and
   * would help to elect a leader that lacks it. An entry is applied only when it is in the log.
   *
   * @param tableIndex the last entry that the table has on disk
   * @param snapshotIndex the last entry of the newest snapshot, -1 without one; the log before it
   *     may have been purged
   */
  void requireLogUpTo(long tableIndex, long snapshotIndex) throws IOException {
    long last = Math.max(snapshotIndex, LogTail.lastIndex(raftGroup()).orElse(-1));
    if (tableIndex > Math.max(0, last)) {
      throw new StoreStartException(
          "folder %s has lost the end of its log, which had entry %d and %s: %s"
              .formatted(
                  root,
                  tableIndex,
                  last < 0 ? "is not there" : "ends at " + last,
                  StartFailures.LOST),
          null);
    }
  }

  private Path raftGroup() {
    return raft().resolve(identity().groupId().getUuid().toString());
  }

  /**
   * Says what has failed and what to do about it.
   *
   * @param what could not be done, as a sentence without an end
   */
  String explain(String what, Throwable cause) {
    if (cause instanceof UnreadableEntryException unreadable) {
      return what + ": " + unreadable.getMessage(); // no disk is to blame: Ratis has checksums
    }
    String reason = what + " (" + DiskFailure.innermost(cause).getMessage() + ")";
    if (DiskFailure.isFull(cause)) {
      return reason
          + ": the disk of %s is full, make room on it and start this node again".formatted(root);
    } else if (DiskFailure.isOne(cause)) {
      return reason + ": see to the disk of %s and start this node again".formatted(root);
    }
    return reason;
  }

  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException denied) {
      return "access denied to " + denied.getFile(); // The message is the path alone.
    } else if (e instanceof FileAlreadyExistsException file) {
      return file.getFile() + " is a file";
    } else if (e instanceof NoSuchFileException missing) {
      return missing.getFile() + " is not there";
    }
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  /** Lets another process use the folder; idempotent. */
  @Override
  public void close() {
    FileChannel channel = lockChannel;
    lockChannel = null;
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        throw new IllegalStateException("a lock that is held can be given up", e);
      }
    }
  }
}
