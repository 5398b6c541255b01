package io.leasehold.store.codec;

import org.jspecify.annotations.Nullable;

/**
 * A committed log entry cannot be read. The node must stop: going on without the entry would make
 * its table another than that of the others. The message says what to do.
 */
public final class UnreadableEntryException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnreadableEntryException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
