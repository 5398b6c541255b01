package io.leasehold.store.rocks;

import org.jspecify.annotations.Nullable;

/**
 * The table on disk cannot be used or trusted: it is closed, of another version, corrupt, or the
 * disk fails. A node whose table fails must stop.
 */
public final class TableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  TableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  TableException(String message) {
    this(message, null);
  }
}
