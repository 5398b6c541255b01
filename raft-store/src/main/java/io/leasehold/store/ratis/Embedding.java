package io.leasehold.store.ratis;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.util.ExitUtils;

/**
 * Keeps Ratis from acting as if the process were its own. Its {@code ExitUtils} ends the process
 * when a port is in use, and by merely being loaded makes every uncaught exception of any thread
 * end it too.
 */
final class Embedding {

  /** Says on stderr, at every start, whether it can count bytes; kept, or its level were lost. */
  private static final Logger TALKER =
      Logger.getLogger("org.apache.ratis.thirdparty.io.grpc.netty.TcpMetrics");

  private Embedding() {}

  /** Leaves the process to the application; done again for each node, as others may undo it. */
  static synchronized void tame() {
    if (TALKER.getLevel() == null) {
      TALKER.setLevel(Level.WARNING);
    }
    Thread.UncaughtExceptionHandler ofApplication = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.setTerminateOnUncaughtException(false);
    ExitUtils.disableSystemExit();
    Thread.setDefaultUncaughtExceptionHandler(ofApplication);
  }
}
