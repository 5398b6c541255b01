package io.leasehold.singleton;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What a singleton tells whoever reads the log. Not safe for many threads. */
final class SingletonLog {

  private static final System.Logger LOGGER = System.getLogger(Singleton.class.getName());

  private final String name;
  private boolean failing;

  /**
   * @param name of its lease
   */
  SingletonLog(String name) {
    this.name = name;
  }

  /** It failed to ask for its lease; told once until it runs again. */
  void cannotCompete(@Nullable Throwable failure) {
    if (!failing) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "Singleton " + name + " cannot compete for its lease at present; it keeps trying",
          failure);
    }
    failing = true;
  }

  void runs(long token) {
    failing = false;
    LOGGER.log(
        System.Logger.Level.INFO, "Singleton {0} runs here, with token {1}", name, "" + token);
  }

  void stops(String why) {
    LOGGER.log(System.Logger.Level.INFO, "Singleton {0} stops here: {1}", name, why);
  }

  /** The task has ended by itself. */
  void hasEnded(@Nullable Throwable failure) {
    Throwable cause = causeOf(failure);
    if (cause == null) {
      LOGGER.log(
          System.Logger.Level.INFO,
          "The task of singleton {0} has ended; the lease is released",
          name);
    } else {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "The task of singleton " + name + " failed; the lease is released",
          cause);
    }
  }

  void mayNotBeReleased(Throwable failure) {
    Throwable cause = causeOf(failure);
    LOGGER.log(
        System.Logger.Level.WARNING,
        "It is not known whether the lease of singleton {0} is released; that is tried again in the background: {1}",
        name,
        String.valueOf(cause == null ? failure : cause));
  }

  private static @Nullable Throwable causeOf(@Nullable Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }
}
