package io.leasehold.harness.check.history;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Writes a history line by line. A line is with the operating system when {@link #append} returns,
 * so a process that is killed right after has still said it: an invocation that was sent is never
 * missing. Safe for many threads.
 */
public final class HistoryWriter implements AutoCloseable {

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final OutputStream out;

  private HistoryWriter(OutputStream out) {
    this.out = out;
  }

  /** Begins a history in a new file, with its header. */
  public static HistoryWriter create(Path file, HistoryHeader header) throws IOException {
    HistoryWriter writer = fragment(file);
    writer.write(HistoryJson.HEADER_WRITER.writeValueAsBytes(header));
    return writer;
  }

  /** Begins a part of a history, without a header, as one process of several writes it. */
  public static HistoryWriter fragment(Path file) throws IOException {
    return new HistoryWriter(Files.newOutputStream(file));
  }

  /**
   * Appends one event.
   *
   * @throws UncheckedIOException when it cannot be written: the history would be worth nothing
   */
  public void append(HistoryEvent event) {
    try {
      write(
          event instanceof Sample sample
              ? SampleJson.write(sample)
              : HistoryJson.EVENT_WRITER.writeValueAsBytes(event));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the history", e);
    }
  }

  private void write(byte[] json) throws IOException {
    byte[] line = Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    synchronized (lock) {
      out.write(line);
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (lock) {
      out.close();
    }
  }
}
