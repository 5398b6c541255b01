package io.leasehold.harness.chaos;

import io.leasehold.harness.chaos.relay.RelayMain;
import io.leasehold.harness.chaos.workload.WorkloadMain;
import java.nio.file.Path;
import java.util.List;

/**
 * How a part of this very program is started as a process of its own: the same Java, the same class
 * path.
 *
 * @param words the command up to, not including, its arguments
 */
record ProgramCommand(List<String> words) {

  ProgramCommand {
    words = List.copyOf(words);
  }

  /** One node of a run. */
  static ProgramCommand node() {
    return ofThisProcess(WorkloadMain.class, 256);
  }

  /** What delays the links of a run. */
  static ProgramCommand relay() {
    return ofThisProcess(RelayMain.class, 64);
  }

  private static ProgramCommand ofThisProcess(Class<?> program, int heapMegabytes) {
    return new ProgramCommand(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + heapMegabytes + "m",
            "-Xss512k",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            // With a parallelism of 1 Java would start a thread for every single task.
            "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2",
            "-Dlogback.configurationFile=io/leasehold/harness/chaos/node-logback.xml",
            "-cp",
            System.getProperty("java.class.path"),
            program.getName()));
  }
}
