package io.leasehold.harness.shards;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.Collection;
import org.slf4j.LoggerFactory;

/**
 * Listens to what is logged, and keeps it quiet. What a node fails to do on its strand is only
 * logged; here it is a fault.
 */
final class StrandFailures extends AppenderBase<ILoggingEvent> implements AutoCloseable {

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.leasehold");
  private final Collection<String> found;

  private StrandFailures(Collection<String> found) {
    this.found = found;
  }

  /** Listens until it is closed, on any thread. */
  static StrandFailures listen(Collection<String> found) {
    StrandFailures failures = new StrandFailures(found);
    failures.setContext(failures.logger.getLoggerContext());
    failures.start();
    failures.logger.addAppender(failures);
    failures.logger.setAdditive(false);
    return failures;
  }

  @Override
  protected void append(ILoggingEvent line) {
    if (line.getLoggerName().endsWith(".Strand")) {
      found.add(line.getFormattedMessage() + ": " + line.getThrowableProxy().getMessage());
    }
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    logger.setAdditive(true);
  }
}
