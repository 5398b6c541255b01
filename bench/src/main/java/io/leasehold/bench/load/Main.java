package io.leasehold.bench.load;

import io.leasehold.bench.cluster.BenchLog;
import picocli.CommandLine;

/** The load generator's command line. */
public final class Main {

  private Main() {}

  /** Measures, prints, and exits with 0, or with 1 if something could not be measured. */
  public static void main(String[] args) {
    BenchLog.quiet();
    System.setProperty("java.awt.headless", "true");
    System.exit(new CommandLine(new LoadCommand()).execute(args));
  }
}
