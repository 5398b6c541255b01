package io.leasehold.raft.spring;

import org.jspecify.annotations.Nullable;

/** Properties are missing or do not fit; the message is one sentence that names them. */
final class LeaseholdPropertyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  LeaseholdPropertyException(String message, @Nullable IllegalArgumentException cause) {
    super(message, cause);
  }
}
