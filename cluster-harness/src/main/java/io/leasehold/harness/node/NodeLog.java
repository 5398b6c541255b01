package io.leasehold.harness.node;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.status.NopStatusListener;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Where this process logs to. Called before anything else logs. */
public final class NodeLog {

  /** The log's name inside a node's data folder. */
  public static final String FILE = "node.log";

  private static final String PATTERN =
      "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level [%thread] %logger{25} - %msg%n";
  private static final int FILES_MAX = 4;
  private static final String FILE_BYTES_MAX = "5MB";

  /** Repeats itself while a member is away. */
  private static final String TALKER_EACH_SECOND = "org.apache.ratis.grpc.server";

  /** A hundred constant lines at each start and election; a page for each foreign connection. */
  private static final List<String> TALKERS_AT_STARTS =
      List.of(
          "org.apache.ratis.server.RaftServerConfigKeys",
          "org.apache.ratis.grpc.GrpcConfigKeys",
          "org.apache.ratis.thirdparty.io.grpc.netty.NettyServerTransport.connections");

  private NodeLog() {}

  /** A command that people look at says things itself: only errors are logged, on stderr. */
  public static void errorsOnly() {
    LoggerContext context = emptied();
    ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(encoder(context));
    console.start();
    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(console);
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.ERROR);
  }

  /** A node that will not start: what is wrong it says on stderr, in one sentence. */
  static void silent() {
    emptied().getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.OFF);
  }

  /**
   * A node logs to a file; the last ones of a bounded size are kept.
   *
   * @param level for our own packages; what the libraries say is kept from WARN on, and at DEBUG
   *     from INFO on
   */
  public static void toFile(Path file, String level) {
    LoggerContext context = emptied();
    RollingFileAppender<ILoggingEvent> rolling = new RollingFileAppender<>();
    rolling.setContext(context);
    rolling.setFile(file.toString());
    rolling.setEncoder(encoder(context));

    FixedWindowRollingPolicy window = new FixedWindowRollingPolicy();
    window.setContext(context);
    window.setParent(rolling);
    window.setFileNamePattern(file.toString().replace("%", "\\%") + ".%i");
    window.setMinIndex(1);
    window.setMaxIndex(FILES_MAX);
    window.start();
    SizeBasedTriggeringPolicy<ILoggingEvent> trigger = new SizeBasedTriggeringPolicy<>();
    trigger.setContext(context);
    trigger.setMaxFileSize(FileSize.valueOf(FILE_BYTES_MAX));
    trigger.start();
    rolling.setRollingPolicy(window);
    rolling.setTriggeringPolicy(trigger);
    rolling.start();

    context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(rolling);
    Level own = Level.toLevel(level, Level.INFO);
    boolean all = Level.DEBUG.isGreaterOrEqual(own);
    context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(all ? Level.INFO : Level.WARN);
    // What it means that a member is away, our own lines say, once.
    context.getLogger(TALKER_EACH_SECOND).setLevel(all ? Level.INFO : Level.ERROR);
    TALKERS_AT_STARTS.forEach(talker -> context.getLogger(talker).setLevel(Level.WARN));
    context.getLogger("io.leasehold").setLevel(own);
  }

  /** Writes out what is buffered; nothing is logged afterwards. */
  static void flush() {
    ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
  }

  private static LoggerContext emptied() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    context.reset();
    context.getStatusManager().add(new NopStatusListener());
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    return context;
  }

  private static PatternLayoutEncoder encoder(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(PATTERN);
    encoder.start();
    return encoder;
  }
}
