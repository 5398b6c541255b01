package io.leasehold.bench.floor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * What a caller asks.
 *
 * @param kind what for
 * @param lease which lease
 * @param owner who
 * @param answer completes with whether the owner has, or had, the lease
 */
record FloorRequest(Kind kind, String lease, String owner, CompletableFuture<Boolean> answer) {

  private static final int TEXT_BYTES_MAX = Byte.MAX_VALUE;

  /** Most bytes of a request. */
  static final int BYTES_MAX = 1 + 2 * (1 + TEXT_BYTES_MAX);

  enum Kind {
    ACQUIRE,
    /** Waits in the lease's queue if another has it. */
    ACQUIRE_OR_WAIT,
    RELEASE
  }

  void writeTo(ByteBuffer frame) {
    frame.put((byte) kind.ordinal());
    write(lease, frame);
    write(owner, frame);
  }

  private static void write(String text, ByteBuffer frame) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > TEXT_BYTES_MAX) {
      throw new IllegalArgumentException("too long: " + text);
    }
    frame.put((byte) bytes.length).put(bytes);
  }
}
