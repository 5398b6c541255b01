package io.leasehold.harness.chaos.workload;

import io.leasehold.Lease;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Guarded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The resource that the leases guard: for each lease a count in a file, with the token of the last
 * write, which refuses older tokens. All processes share the folder; a write that finds another one
 * at work is left out, for that process may be paused. Confined to the workload's thread.
 */
final class GuardedCounter {

  private static final int BYTES = 2 * Long.BYTES;

  private final Path folder;

  GuardedCounter(Path folder) {
    this.folder = folder;
  }

  /** Writes once, if the lease is held. */
  void write(Handle handle, Lease lease, Recorder recorder) {
    OptionalLong token = lease.fencingToken();
    if (token.isEmpty() || !lease.checkAlive()) {
      return;
    }
    long before = recorder.now();
    Path file = folder.resolve(handle.lease());
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      try (@Nullable FileLock alone = channel.tryLock()) {
        if (alone == null) {
          return;
        }
        ByteBuffer content = ByteBuffer.allocate(BYTES);
        boolean written = channel.read(content, 0) == BYTES;
        long lastToken = written ? content.getLong(0) : 0;
        long count = (written ? content.getLong(Long.BYTES) : 0) + 1;
        boolean accepted = token.getAsLong() >= lastToken;
        if (accepted) {
          content.clear().putLong(token.getAsLong()).putLong(count).flip();
          channel.write(content, 0);
        }
        recorder.write(
            new Guarded(
                recorder.now(),
                before,
                handle.node(),
                handle.run(),
                handle.lease(),
                token.getAsLong(),
                accepted,
                accepted ? count : 0));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the guarded resource cannot be used", e);
    }
  }
}
