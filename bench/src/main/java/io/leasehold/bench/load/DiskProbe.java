package io.leasehold.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;

/** How long the disk takes to keep a small append: no synced log can be faster. */
final class DiskProbe {

  private static final int APPENDS = 500;
  private static final int APPEND_BYTES = 200;

  private DiskProbe() {}

  /** Appends and syncs in a folder, and returns the median in milliseconds. */
  static double appendMillis(Path folder) {
    Path file = folder.resolve("probe");
    Histogram nanos = Latencies.histogram();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (int i = 0; i < APPENDS; i++) {
        long start = System.nanoTime();
        channel.write(ByteBuffer.allocate(APPEND_BYTES));
        channel.force(false);
        nanos.recordValue(System.nanoTime() - start);
      }
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + folder, e);
    }
    return Latencies.millis(nanos, 50);
  }
}
