package io.leasehold.bench.floor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that only grows. Confined to one thread. */
final class FloorLog implements AutoCloseable {

  private final FileChannel file;

  private FloorLog(FileChannel file) {
    this.file = file;
  }

  static FloorLog open(Path path) throws IOException {
    return new FloorLog(
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /** Appends what remains in a buffer and returns when it is on disk. */
  void append(ByteBuffer bytes) {
    try {
      while (bytes.hasRemaining()) {
        int unused = file.write(bytes);
      }
      file.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException("a log of the floor cannot be written", e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
