package io.leasehold.harness.chaos.workload;

import picocli.CommandLine;

/** The program of one node of a run under faults. */
public final class WorkloadMain {

  private WorkloadMain() {}

  /** Runs until told to end, or until whoever started it is gone. */
  public static void main(String[] arguments) {
    int code = new CommandLine(new WorkloadCommand()).execute(arguments);
    // Not exit: nothing is left to be done, and hooks may hang on a full or failing disk.
    Runtime.getRuntime().halt(code);
  }
}
