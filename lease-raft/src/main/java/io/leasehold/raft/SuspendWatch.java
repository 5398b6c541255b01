package io.leasehold.raft;

import io.leasehold.time.Ticker;
import io.leasehold.time.Timer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out that the machine was suspended where the monotonic clock does not count that: the time
 * since boot, which does, then runs ahead of it. A window of one period remains after waking in
 * which a hold may still be believed in; Java 22 and later do not need this. Runs on the timer's
 * thread.
 */
final class SuspendWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SuspendWatch.class);
  private static final Duration PERIOD = Duration.ofMillis(100);
  private static final long TOLERANCE_NANOS = 50_000_000L;
  private static final long NANOS_PER_CENTISECOND = 10_000_000L;
  private static final int UPTIME_BYTES_MAX = 64;

  private final Path uptime;
  private final Ticker monotonic;
  private final Timer timer;
  private final Consumer<String> onSuspend;
  private final ByteBuffer text = ByteBuffer.allocateDirect(UPTIME_BYTES_MAX);
  private @Nullable FileChannel file;
  private long aheadNanos;
  private volatile boolean closed;
  private volatile Timer.@Nullable Cancellable next;

  private SuspendWatch(Path uptime, Ticker monotonic, Timer timer, Consumer<String> onSuspend) {
    this.uptime = uptime;
    this.monotonic = monotonic;
    this.timer = timer;
    this.onSuspend = onSuspend;
  }

  /**
   * @param uptime a file that begins with the seconds since boot, with two decimals
   * @param onSuspend told what happened
   */
  static SuspendWatch begin(
      Path uptime, Ticker monotonic, Timer timer, Consumer<String> onSuspend) {
    SuspendWatch watch = new SuspendWatch(uptime, monotonic, timer, onSuspend);
    try {
      long beforeNanos = monotonic.nanos();
      watch.aheadNanos = watch.readUptimeNanos() - beforeNanos;
      watch.schedule();
    } catch (IOException | NumberFormatException e) {
      LOG.warn("{} cannot be read: a suspend of this machine will not be noticed", uptime, e);
    }
    return watch;
  }

  private void schedule() {
    if (!closed) {
      next = timer.schedule(PERIOD, this::look);
    }
  }

  private void look() {
    try {
      long bootNanos = readUptimeNanos();
      // Read after, so that a pause in between makes the difference smaller and raises no false
      // alarm.
      long nowAheadNanos = bootNanos - monotonic.nanos();
      if (nowAheadNanos - aheadNanos > TOLERANCE_NANOS) {
        long suspendedMillis = (nowAheadNanos - aheadNanos) / 1_000_000;
        LOG.warn(
            "This machine was suspended for {} ms; all leases of this node are given up",
            suspendedMillis);
        onSuspend.accept("The machine was suspended for " + suspendedMillis + " ms");
        // Only now: where telling has failed, the next look tells it.
        aheadNanos = nowAheadNanos + NANOS_PER_CENTISECOND;
      }
    } catch (IOException | NumberFormatException | ArithmeticException e) {
      LOG.debug("{} could not be read this time", uptime, e);
    } finally {
      schedule();
    }
  }

  /** The file stays open, and one buffer serves: this runs ten times a second for ever. */
  private long readUptimeNanos() throws IOException {
    FileChannel open = file;
    if (open == null) {
      open = FileChannel.open(uptime, StandardOpenOption.READ);
      file = open;
    }
    text.clear();
    int read = open.read(text, 0);
    long centiseconds = 0;
    int digits = 0;
    for (int i = 0; i < read && text.get(i) != ' ' && text.get(i) != '\n'; i++) {
      byte character = text.get(i);
      if (character == '.') {
        continue;
      }
      if (character < '0' || character > '9') {
        throw new NumberFormatException("it begins with no number of seconds");
      }
      centiseconds = Math.addExact(Math.multiplyExact(centiseconds, 10L), character - '0');
      digits++;
    }
    if (digits == 0) {
      throw new NumberFormatException("it is empty");
    }
    return centiseconds * NANOS_PER_CENTISECOND;
  }

  @Override
  public void close() {
    closed = true;
    Timer.Cancellable scheduled = next;
    if (scheduled != null) {
      scheduled.cancel();
    }
    // On the timer's thread, as everything else that touches the file.
    timer.schedule(Duration.ZERO, this::closeFile);
  }

  private void closeFile() {
    FileChannel open = file;
    file = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.debug("{} could not be closed", uptime, e);
      }
    }
  }
}
