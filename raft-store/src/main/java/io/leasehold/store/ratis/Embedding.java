package io.leasehold.store.ratis;

import org.apache.ratis.util.ExitUtils;

/**
 * Keeps Ratis from acting as if the process were its own. Its {@code ExitUtils} ends the process
 * when a port is in use, and by merely being loaded makes every uncaught exception of any thread
 * end it too.
 */
final class Embedding {

  private Embedding() {}

  /** Leaves the process to the application; done again for each node, as others may undo it. */
  static synchronized void tame() {
    Thread.UncaughtExceptionHandler ofApplication = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.setTerminateOnUncaughtException(false);
    ExitUtils.disableSystemExit();
    Thread.setDefaultUncaughtExceptionHandler(ofApplication);
  }
}
