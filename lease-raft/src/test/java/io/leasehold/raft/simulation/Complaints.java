package io.leasehold.raft.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Listens to what the code under test logs, on the thread that runs it: an error is a violation,
 * for what a task of a node throws is only logged. All else is kept quiet, as there is much of it.
 */
final class Complaints extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final Thread thread = Thread.currentThread();
  private final List<String> errors = new ArrayList<>();

  private Complaints() {}

  static Complaints listen() {
    Complaints complaints = new Complaints();
    Logger logger = logger();
    complaints.setContext(logger.getLoggerContext());
    complaints.start();
    synchronized (logger) {
      logger.addAppender(complaints);
      logger.setLevel(Level.ERROR);
      logger.setAdditive(false);
    }
    return complaints;
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger("io.leasehold");
  }

  @Override
  protected void append(ILoggingEvent event) {
    if (Thread.currentThread() == thread) {
      String cause =
          event.getThrowableProxy() == null
              ? ""
              : ": "
                  + event.getThrowableProxy().getClassName()
                  + " "
                  + event.getThrowableProxy().getMessage();
      errors.add(event.getFormattedMessage() + cause);
    }
  }

  /** Throws if anything was complained of. */
  void check() {
    if (!errors.isEmpty()) {
      throw new Violation(Violation.Rule.NO_ERROR, errors.get(0));
    }
  }

  @Override
  public void close() {
    Logger logger = logger();
    synchronized (logger) {
      logger.detachAppender(this);
      if (!logger.iteratorForAppenders().hasNext()) {
        logger.setLevel(null);
        logger.setAdditive(true);
      }
    }
    stop();
  }
}
