package io.leasehold.harness;

import io.leasehold.harness.cli.LeaseholdCommand;
import io.leasehold.harness.node.NodeLog;

/** The command line of the harness. */
public final class Main {

  private Main() {}

  /** Runs one command and exits with its code. */
  public static void main(String[] args) {
    NodeLog.errorsOnly();
    System.exit(LeaseholdCommand.commandLine().execute(args));
  }
}
