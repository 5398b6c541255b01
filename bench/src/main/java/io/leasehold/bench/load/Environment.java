package io.leasehold.bench.load;

import static io.leasehold.bench.load.ResultTable.Column.number;
import static io.leasehold.bench.load.ResultTable.Column.text;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Where the figures come from: without it they say nothing. */
final class Environment {

  private Environment() {}

  static ResultTable describe(Path folder) {
    ResultTable table =
        new ResultTable(
            "environment",
            "Environment",
            text("date", "date"),
            number("cpus", "CPUs", 0),
            text("jdk", "JDK"),
            text("os", "OS"),
            number("appendMillis", "append + fdatasync p50, ms", 3));
    table.add(
        Instant.now().truncatedTo(ChronoUnit.MINUTES).toString(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vendor") + " " + System.getProperty("java.version"),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        DiskProbe.appendMillis(folder));
    return table;
  }
}
