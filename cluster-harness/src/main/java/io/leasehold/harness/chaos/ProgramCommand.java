package io.leasehold.harness.chaos;

import java.nio.file.Path;
import java.util.List;

/**
 * How this very program is started again as a node: the same Java, the same class path.
 *
 * @param words the command up to, not including, the subcommand
 */
record ProgramCommand(List<String> words) {

  ProgramCommand {
    words = List.copyOf(words);
  }

  /** This process' own Java and class path. */
  static ProgramCommand ofThisProcess() {
    return new ProgramCommand(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-Xss512k",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dlogback.configurationFile=io/leasehold/harness/chaos/node-logback.xml",
            "-cp",
            System.getProperty("java.class.path"),
            "io.leasehold.harness.chaos.workload.WorkloadMain"));
  }
}
