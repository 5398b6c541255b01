package io.leasehold.harness.cli;

import io.leasehold.harness.chaos.ChaosCommand;
import io.leasehold.harness.check.CheckCommand;
import io.leasehold.harness.client.NodeCallException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The root of the command line. */
@Command(
    name = "leasehold",
    mixinStandardHelpOptions = true,
    versionProvider = VersionFromManifest.class,
    description = "Leases on a cluster of processes of your own: try it, run it, look into it.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Durations are written 250ms, 3s, 1m; addresses host:port, with IPv6 in brackets.",
      "Exit codes: 0 done, 1 failed, 2 wrong usage."
    },
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      NodeCommand.class,
      StatusCommand.class,
      LeasesCommand.class,
      WatchCommand.class,
      RevokeCommand.class,
      MembersCommand.class,
      TransferCommand.class,
      SnapshotCommand.class,
      CompareCommand.class,
      DrillCommand.class,
      ChaosCommand.class,
      CheckCommand.class
    })
public final class LeaseholdCommand implements Callable<Integer> {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseholdCommand.class);

  @Spec private CommandSpec spec;

  /** The command line, ready to execute. */
  @SuppressWarnings("NullAway.Init") // picocli fills the fields of commands
  public LeaseholdCommand() {}

  /** The whole command line; failures end in one line on its error writer. */
  public static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new LeaseholdCommand());
    commandLine.getSubcommands().values().forEach(CommandText::register);
    CommandText.register(commandLine);
    commandLine.setExpandAtFiles(false);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setUsageHelpAutoWidth(true);
    commandLine.setParameterExceptionHandler(LeaseholdCommand::wrongUsage);
    commandLine.setExecutionExceptionHandler(LeaseholdCommand::failed);
    return commandLine;
  }

  /** Without a command there is nothing to do but to say which there are. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return CommandLine.ExitCode.USAGE;
  }

  private static int wrongUsage(CommandLine.ParameterException e, String[] args) {
    CommandLine commandLine = e.getCommandLine();
    String name = commandLine.getCommandSpec().qualifiedName();
    PrintWriter err = commandLine.getErr();
    err.println(name + ": " + oneLine(reason(e)) + " (see " + name + " --help)");
    err.flush();
    return CommandLine.ExitCode.USAGE;
  }

  /** What was not understood comes before what is missing: the one is often the other misspelt. */
  private static String reason(CommandLine.ParameterException e) {
    CommandLine commandLine = e.getCommandLine();
    List<String> unmatched = commandLine.getUnmatchedArguments();
    if (unmatched.isEmpty()) {
      return String.valueOf(e.getMessage());
    }
    String first = unmatched.get(0);
    if (first.startsWith("-")) {
      return "there is no option " + first;
    }
    return commandLine.getSubcommands().isEmpty()
        ? String.valueOf(e.getMessage())
        : "there is no command %s; there are %s"
            .formatted(first, String.join(", ", commandLine.getSubcommands().keySet()));
  }

  private static int failed(Exception e, CommandLine commandLine, CommandLine.ParseResult parsed) {
    String name = commandLine.getCommandSpec().qualifiedName();
    if (!(e instanceof CommandFailedException) && !(e instanceof NodeCallException)) {
      LOG.debug("{} failed", name, e);
    }
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    commandLine.getErr().println(name + ": " + oneLine(message));
    commandLine.getErr().flush();
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*[\\r\\n]+\\s*", " ");
  }
}
