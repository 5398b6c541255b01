package io.leasehold.harness.shards;

import io.leasehold.harness.wire.Wire;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file with an event a line, as JSON. A line is with the operating system when {@link #accept}
 * returns, so what a process has done it has said, however it ends. Confined to one strand.
 */
final class ShardEventFile implements Consumer<ShardEvent> {

  private final OutputStream out;

  /** Begins a new file. */
  ShardEventFile(Path file) throws IOException {
    this.out = Files.newOutputStream(file);
  }

  @Override
  public void accept(ShardEvent event) {
    try {
      out.write((Wire.text(event) + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write down what was done", e);
    }
  }
}
