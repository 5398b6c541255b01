package io.leasehold.store.ratis;

import io.leasehold.store.rocks.TableException;
import java.io.IOException;

/** What a failure says of the disk. */
final class DiskFailure {

  private DiskFailure() {}

  /** Whether there is no room left. */
  static boolean isFull(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      String message = String.valueOf(each.getMessage());
      if (message.contains("No space left on device")
          || message.contains("NO_SPACE")
          || message.contains("Disk quota exceeded")) {
        return true;
      }
    }
    return false;
  }

  /** Whether the disk, or what is on it, is to blame. */
  static boolean isOne(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof IOException || each instanceof TableException) {
        return true;
      }
    }
    return false;
  }

  static Throwable innermost(Throwable failure) {
    Throwable inner = failure;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }
}
