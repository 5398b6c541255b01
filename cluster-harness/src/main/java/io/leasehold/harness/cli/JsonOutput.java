package io.leasehold.harness.cli;

import picocli.CommandLine.Option;

/** The option of every command that has something to tell a program. */
final class JsonOutput {

  @Option(names = "--json", description = "Print one JSON object a line.")
  private boolean wanted;

  boolean isWanted() {
    return wanted;
  }
}
