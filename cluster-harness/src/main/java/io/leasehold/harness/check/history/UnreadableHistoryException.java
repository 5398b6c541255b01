package io.leasehold.harness.check.history;

/** A file is no history, or not one this version can read. The message says where and why. */
public final class UnreadableHistoryException extends Exception {

  UnreadableHistoryException(String message) {
    super(message);
  }

  UnreadableHistoryException(String message, Throwable cause) {
    super(message, cause);
  }
}
