package io.leasehold.store.ratis;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.StoreStartException;
import io.leasehold.store.codec.UnreadableEntryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's data folder: whose it is, and that one process at a time uses it. Confined to the thread
 * that starts and the one that closes the node, except {@link #joined} and {@link #reached}.
 *
 * <pre>
 * node.properties   whose folder this is, its format, whether it has ever been in the group, and a
 *                   term that is later than any it has voted in
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

  /** The format that this version writes, and the newest that it reads. */
  static final int FORMAT = 1;

  private static final Logger LOG = LoggerFactory.getLogger(NodeFolder.class);
  private static final String IDENTITY = "node.properties";
  private static final String LOCK = "node.lock";

  /** How far ahead of the term it is in a member notes that it is in none yet. */
  private static final long TERMS_AHEAD = 1_000_000;

  private final Path root;
  private final StoreConfig config;
  private @Nullable FileChannel lockChannel;
  private boolean joined;

  /** It has voted in no term as late as this; 0 when that is not noted. */
  private long termBound;

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

  /** Notes for ever that this folder has been in the group. Called before the first vote. */
  synchronized void joined() throws IOException {
    if (!joined) {
      writeIdentity(true, TERMS_AHEAD);
    }
  }

  /**
   * Notes for ever that no term comes near in which this member has not voted yet, so that it can
   * go on in that one if its vote is destroyed. Writes once in very many terms.
   */
  synchronized void reached(long term) throws IOException {
    if (joined && term + TERMS_AHEAD / 2 > termBound) {
      writeIdentity(true, term + TERMS_AHEAD);
    }
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

  private void identify() throws IOException {
    Path file = root.resolve(IDENTITY);
    if (Files.exists(file)) {
      checkIdentity(readIdentity(file));
    } else if (holdsSomething()) {
      throw new StoreStartException(
          "folder %s is not empty and not a node's: give this node an empty folder".formatted(root),
          null);
    } else {
      writeIdentity(false, 0);
    }
    Files.createDirectories(raft());
    restoreVote();
    LogTail.repair(raftGroup());
  }

  /**
   * Ratis puts an empty file in the place of its vote when the disk is full at the moment at which
   * it writes one (AtomicFileOutputStream moves what it could not write). The vote did not leave
   * this member then, but earlier ones have: it goes on in a term later than all of them, in which
   * it has voted for itself.
   */
  private void restoreVote() throws IOException {
    Path meta = raftMeta();
    if (termBound == 0 || !Files.isRegularFile(meta) || Files.size(meta) > 0) {
      return;
    }
    long term = termBound;
    writeIdentity(true, term + TERMS_AHEAD);
    replace(meta, List.of("term=" + term, "votedFor=" + config.nodeId(), ""));
    LOG.warn(
        "this member's last vote was destroyed, as by a full disk: it goes on in term {}, later than"
            + " any it can have voted in",
        term);
  }

  private boolean holdsSomething() throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      return entries.anyMatch(entry -> !entry.endsWith(LOCK) && !entry.endsWith(IDENTITY + ".new"));
    }
  }

  private Properties readIdentity(Path file) throws IOException {
    Properties identity = new Properties();
    try (var reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      identity.load(reader);
    } catch (IllegalArgumentException | CharacterCodingException e) {
      throw damaged(e);
    }
    return identity;
  }

  private StoreStartException damaged(@Nullable Throwable cause) {
    return new StoreStartException(
        "%s is damaged: %s".formatted(root.resolve(IDENTITY), StartFailures.STAY_AWAY), cause);
  }

  private void checkIdentity(Properties identity) {
    String format = identity.getProperty("format", "");
    if (!format.matches("[1-9][0-9]{0,8}")) {
      throw damaged(null);
    }
    if (!format.equals(Integer.toString(FORMAT))) {
      throw new StoreStartException(
          "folder %s has format '%s' and this version reads %d: start the version that wrote it, or a newer one"
              .formatted(root, format, FORMAT),
          null);
    }
    String written = identity.getProperty("joined", "");
    if (!written.equals("true") && !written.equals("false")) {
      // It is written last: what has lost it may have lost the end of any other line.
      throw damaged(null);
    }
    checkOwner("cluster", config.cluster(), identity.getProperty("cluster", ""));
    checkOwner("node", config.nodeId(), identity.getProperty("node", ""));
    checkMembers(identity.getProperty("members", ""));
    joined = Boolean.parseBoolean(written);
    String terms = identity.getProperty("terms", "0");
    termBound = terms.matches("[0-9]{1,18}") ? Long.parseLong(terms) : 0;
    if (joined && !Files.isRegularFile(raftMeta())) {
      throw new StoreStartException(
          "folder %s has been in the group and has lost its Raft state: %s"
              .formatted(root, StartFailures.STAY_AWAY),
          null);
    }
  }

  /** The group is what its log says; a list that differs would only mislead this node. */
  private void checkMembers(String found) {
    if (!found.equals(memberIds())) {
      throw new StoreStartException(
          "folder %s is of a cluster of members %s and not %s: start this node with the list it had"
              .formatted(root, found, memberIds()),
          null);
    }
  }

  private String memberIds() {
    return config.members().stream().map(Member::id).sorted().collect(Collectors.joining(","));
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

  private void checkOwner(String what, String wanted, String found) {
    if (!found.equals(wanted)) {
      throw new StoreStartException(
          "folder %s belongs to %s '%s' and not to '%s': give this node its own folder"
              .formatted(root, what, found, wanted),
          null);
    }
  }

  private void writeIdentity(boolean nowJoined, long nowTermBound) throws IOException {
    replace(
        root.resolve(IDENTITY),
        List.of(
            "# Whose folder this is. Do not edit, and do not copy the folder to another node.",
            "format=" + FORMAT,
            "cluster=" + config.cluster(),
            "node=" + config.nodeId(),
            "members=" + memberIds(),
            "terms=" + nowTermBound,
            "joined=" + nowJoined,
            ""));
    joined = nowJoined;
    termBound = nowTermBound;
  }

  /** Replaced as a whole, and on disk before anything relies on it. */
  private static void replace(Path file, List<String> lines) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel out =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    SnapshotFiles.force(file.resolveSibling("."));
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
