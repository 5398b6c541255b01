package io.leasehold.harness.check;

import io.leasehold.harness.check.history.UnreadableHistoryException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code check HISTORY}: judges a recorded run. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Judge a recorded history: which promises it keeps, and what breaks one.",
      "Needs nothing but the file; what is judged, and how much of it, is told rule by rule."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:Every promise held.",
      "1:At least one was broken; the operations are shown.",
      "2:The history cannot be read."
    })
@SuppressWarnings("NullAway.Init") // picocli fills the annotated fields before it calls.
public final class CheckCommand implements Callable<Integer> {

  /** Every promise held. */
  public static final int HELD = 0;

  /** At least one was broken. */
  public static final int BROKEN = 1;

  /** There is nothing to judge. */
  public static final int UNREADABLE = 2;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "HISTORY", description = "JSON lines, as the command chaos writes them.")
  private Path history;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write the report, too, as one HTML file.")
  private @Nullable Path report;

  @Override
  public Integer call() {
    try {
      Judgement judgement = HistoryChecker.check(history);
      judgement.print(spec.commandLine().getOut());
      if (report != null) {
        judgement.writeReport(report);
      }
      return judgement.verdict().holds() ? HELD : BROKEN;
    } catch (UnreadableHistoryException e) {
      return refuse(e.getMessage());
    } catch (NoSuchFileException e) {
      return refuse("cannot write " + report + ": there is no such folder");
    } catch (IOException e) {
      return refuse("cannot write " + report + ": " + e.getMessage());
    }
  }

  private int refuse(@Nullable String why) {
    spec.commandLine().getErr().println(spec.qualifiedName() + ": " + why);
    spec.commandLine().getErr().flush();
    return UNREADABLE;
  }
}
