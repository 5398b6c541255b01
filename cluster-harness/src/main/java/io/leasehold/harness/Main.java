package io.leasehold.harness;

/** The command line of the harness. */
public final class Main {

  private Main() {}

  /** Runs one command and exits with its code. */
  public static void main(String[] args) {
    System.err.println("usage: java -jar cluster-harness.jar COMMAND");
    System.exit(2);
  }
}
