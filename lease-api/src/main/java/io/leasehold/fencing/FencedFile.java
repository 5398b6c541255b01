package io.leasehold.fencing;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * A file that keeps the fencing token of its last writer, eight bytes in front of the data, and
 * refuses writers with a smaller one. A write is whole or not at all, and on disk when it returns.
 *
 * <p>Processes exclude each other by a lock on the file {@code NAME.lock} beside it, for the moment
 * of a write: one that is paused in that moment holds up the others until it goes on or dies. That
 * needs a file system with working locks. {@code NAME.new} is where a write begins.
 *
 * <p>Safe for many threads, and for many objects with one path: those of one process wait for each
 * other before they lock that file, which the system lets go when any of them closes it. Links to
 * the folder are followed, links to the file are not.
 */
public final class FencedFile {

  /**
   * Closing a channel drops all locks that its process has on the file. Each file has one of these;
   * files that share one wait for each other.
   */
  private static final List<Lock> WRITING =
      Stream.<Lock>generate(ReentrantLock::new).limit(64).toList();

  private final Path file;

  /**
   * @param file need not exist; its folder has to
   */
  public FencedFile(Path file) {
    this.file = requireNonNull(file, "file").toAbsolutePath().normalize();
  }

  /** Returns the data that was written last; empty before the first write. */
  public Optional<byte[]> read() throws IOException {
    return content().map(all -> Arrays.copyOfRange(all, Long.BYTES, all.length));
  }

  /**
   * Replaces the data unless a greater token has been here.
   *
   * @throws StaleTokenException when a greater token has been here; nothing is written
   * @throws IllegalArgumentException when the token is not positive
   * @throws IOException when it cannot be written; readers see the data of before, or the new one
   */
  public void write(long token, byte[] data) throws IOException {
    Tokens.requireValid(token);
    Lock writing = writing();
    writing.lock();
    try (FileChannel lockFile = FileChannel.open(beside(".lock"), CREATE, WRITE)) {
      FileLock unusedUntilItsFileIsClosed = lockFile.lock();
      Tokens.refuseStale(token, seen());
      replace(ByteBuffer.allocate(Long.BYTES + data.length).putLong(token).put(data).flip());
    } finally {
      writing.unlock();
    }
  }

  private Lock writing() throws IOException {
    Path folder = requireNonNull(file.getParent(), "a file has a folder").toRealPath();
    Path real = folder.resolve(requireNonNull(file.getFileName()));
    return WRITING.get(Math.floorMod(real.hashCode(), WRITING.size()));
  }

  private long seen() throws IOException {
    return content().map(all -> ByteBuffer.wrap(all).getLong()).orElse(Tokens.NONE);
  }

  private Optional<byte[]> content() throws IOException {
    try {
      byte[] all = Files.readAllBytes(file);
      if (all.length < Long.BYTES) {
        throw new IOException("no fencing token in front of the data: " + file);
      }
      return Optional.of(all);
    } catch (NoSuchFileException unwritten) {
      return Optional.empty();
    }
  }

  private void replace(ByteBuffer content) throws IOException {
    Path next = beside(".new");
    try (FileChannel out = FileChannel.open(next, CREATE, TRUNCATE_EXISTING, WRITE)) {
      while (content.hasRemaining()) {
        out.write(content);
      }
      out.force(true);
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    // Else the file of before, with its smaller token, could be back after a power failure.
    try (FileChannel folder = FileChannel.open(file.resolveSibling("."), READ)) {
      folder.force(true);
    }
  }

  private Path beside(String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }
}
