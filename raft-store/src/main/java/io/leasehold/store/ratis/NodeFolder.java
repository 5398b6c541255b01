package io.leasehold.store.ratis;

import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.codec.UnreadableEntryException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's data folder: whose it is, and that one process at a time uses it. Confined to the thread
 * that starts and the one that closes the node.
 *
 * <pre>
 * node.properties   whose folder this is, its format, and whether it has ever been in the group
 * node.term         the term in which it had to leave the group, when its vote could not be written
 * node.lock         locked while a process uses the folder
 * raft/             Ratis' log, votes and snapshots
 * table/            the leases
 * </pre>
 *
 * <p>A member that has forgotten its vote can help to elect two leaders in one term. So a folder
 * that says it has been in the group and has lost its {@code raft/} is refused, never formatted
 * again.
 */
final class NodeFolder implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(NodeFolder.class);
  private static final String LOCK = "node.lock";

  private final Path root;
  private final StoreConfig config;
  private @Nullable FileChannel lockChannel;
  private @Nullable NodeIdentity identity;

  private NodeFolder(Path root, StoreConfig config) {
    this.root = root;
    this.config = config;
  }

  /** Opens the folder for this process alone; makes it if it is not there. */
  static NodeFolder open(StoreConfig config) {
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
      folder.identify();
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

  /** Where Ratis keeps what it must not forget. */
  Path raft() {
    return root.resolve("raft");
  }

  /** Where the leases are. */
  Path table() {
    return table(root);
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
    NodeIdentity known = identity;
    if (known == null) {
      throw new IllegalStateException("the folder is not open yet");
    }
    return known;
  }

  private void identify() throws IOException {
    if (Files.exists(root.resolve(NodeIdentity.FILE))) {
      identity = NodeIdentity.read(root, config);
      requireRaftState();
    } else if (holdsSomething()) {
      throw new StoreStartException(
          "folder %s is not empty and not a node's: give this node an empty folder".formatted(root),
          null);
    } else {
      identity = NodeIdentity.create(root, config);
    }
    Files.createDirectories(raft());
    restoreVote();
    LogTail.repair(raftGroup());
  }

  /**
   * Whether the file of the vote is empty. Ratis puts an empty one in its place when what it writes
   * there does not fit on the disk: AtomicFileOutputStream moves what it could not write. That vote
   * has not left this member, but earlier ones have.
   */
  boolean hasLostVote() {
    try {
      return Files.size(raftMeta()) == 0;
    } catch (IOException e) {
      return false; // It is not there, which is looked at elsewhere.
    }
  }

  /**
   * Notes in which term this member is that has lost its vote and takes part no more. A vote in a
   * later term, if one is still under way, leaves only once it is in the file of the vote, which is
   * not empty then and needs no note.
   */
  void noteTerm(long term) throws IOException {
    TermNote.open(root).write(term);
  }

  /** Replaces a lost vote by one for itself in the term that was noted when it was lost. */
  private void restoreVote() throws IOException {
    TermNote note = TermNote.open(root);
    long term = note.read();
    if (hasLostVote()) {
      if (term == 0) {
        throw new StoreStartException(
            "folder %s has lost its vote, as on a full disk, and nothing says which it was: %s"
                .formatted(root, StartFailures.STAY_AWAY),
            null);
      }
      DurableFiles.replace(raftMeta(), List.of("term=" + term, "votedFor=" + config.nodeId(), ""));
      LOG.warn("node {} could not write its vote, and goes on in term {}", config.nodeId(), term);
    }
    if (term != 0) {
      note.write(0); // Votes will follow of which it knows nothing.
    }
  }

  private void requireRaftState() {
    if (identity().hasJoined() && !Files.isRegularFile(raftMeta())) {
      throw new StoreStartException(
          "folder %s has been in the group and has lost its Raft state: %s"
              .formatted(root, StartFailures.STAY_AWAY),
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
              .formatted(root, first.getAsLong(), StartFailures.STAY_AWAY),
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
                  StartFailures.STAY_AWAY),
          null);
    }
  }

  private Path raftMeta() {
    return raftGroup().resolve("current").resolve("raft-meta");
  }

  private Path raftGroup() {
    return raft().resolve(RatisSettings.groupId(config).getUuid().toString());
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
