package io.leasehold.harness.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What a command has printed, and its code. */
record Run(int code, String out, String err) {

  static Run of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = execute(out, err, args);
    return new Run(code, out.toString(), err.toString());
  }

  /** As {@link #of}, on a terminal that shows colours. */
  static Run onTerminal(String... args) {
    StringWriter out = new StringWriter();
    CommandLine commandLine = LeaseholdCommand.commandLine();
    commandLine.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.ON));
    commandLine.setOut(new PrintWriter(out, true));
    return new Run(commandLine.execute(args), out.toString(), "");
  }

  static int execute(StringWriter out, StringWriter err, String... args) {
    CommandLine commandLine = LeaseholdCommand.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(args);
  }
}
