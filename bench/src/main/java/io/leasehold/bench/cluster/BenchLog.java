package io.leasehold.bench.cluster;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import io.leasehold.harness.node.NodeLog;
import org.slf4j.LoggerFactory;

/** What a process that measures logs: results go to standard output, errors to standard error. */
public final class BenchLog {

  private BenchLog() {}

  /**
   * Only our own errors. Ratis takes nodes that come and go, as they do here, for errors, and its
   * lines would tear the tables apart.
   */
  public static void quiet() {
    NodeLog.errorsOnly();
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.getLogger("org.apache.ratis").setLevel(Level.OFF);
  }
}
