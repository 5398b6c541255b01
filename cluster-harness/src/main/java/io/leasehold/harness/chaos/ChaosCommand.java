package io.leasehold.harness.chaos;

import io.leasehold.harness.DurationNotation;
import io.leasehold.harness.check.CheckCommand;
import io.leasehold.harness.check.HistoryChecker;
import io.leasehold.harness.check.Judgement;
import io.leasehold.harness.check.history.UnreadableHistoryException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code chaos}: a workload under faults, recorded and judged. */
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    description = {
      "Do harm to a cluster of real processes under load, and judge what they did.",
      "Clients on every node acquire, hold and release leases, and a singleton's task runs on one of"
          + " them at a time; half of the kills, pauses, partitions and restarts meet that one.",
      "Kills, pauses and cuts off nodes, fills their disks, shifts their clocks, as the seed decides;"
          + " records every call and answer, and judges the record by what Leasehold promises. How"
          + " harm is done depends on the machine: partitions by lost packets, own disks and power"
          + " losses need root; wall clocks and failing syncs a C compiler; drifting clocks"
          + " libfaketime. A fault that cannot be injected here is told as such."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:Every promise held.",
      "1:At least one was broken; the operations are shown.",
      "2:The run could not be made."
    })
@SuppressWarnings("NullAway.Init") // picocli fills the annotated fields before it calls.
public final class ChaosCommand implements Callable<Integer> {

  /** Some seconds of work, so that members which are away come back by a snapshot. */
  private static final long SNAPSHOT_LOG_BYTES = 256 << 10;

  @Spec private CommandSpec spec;

  @Option(
      names = "--duration",
      defaultValue = "60s",
      paramLabel = "DURATION",
      description = "How long, such as 60s or 30m (default: ${DEFAULT-VALUE}).")
  private String duration;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "NUMBER",
      description = "What all choices come from (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--faults",
      split = ",",
      defaultValue = "all",
      paramLabel = "KIND",
      description =
          "Which, separated by commas: kill, pause, partition, holder, leader, slow, delay, lossy,"
              + " transfer, wall, drift, fsync, disk, restart, restart-all, power, wipe; or all, or none"
              + " (default: ${DEFAULT-VALUE}).")
  private List<String> faults;

  @Option(
      names = "--nodes",
      defaultValue = "3",
      paramLabel = "COUNT",
      description = "How many nodes (default: ${DEFAULT-VALUE}).")
  private int nodes;

  @Option(
      names = "--leases",
      defaultValue = "20",
      paramLabel = "COUNT",
      description =
          "How many leases; three owners on every node want each (default: ${DEFAULT-VALUE}).")
  private int leases;

  @Option(
      names = "--ttl",
      defaultValue = "2s",
      paramLabel = "DURATION",
      description = "The time to live of every lease (default: ${DEFAULT-VALUE}).")
  private String ttl;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description =
          "Where the report, the history and the nodes' logs go; the default is a new folder.")
  private @Nullable Path folder;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try {
      ChaosSettings settings = settings();
      Optional<Path> recorded = record(settings, out);
      if (recorded.isEmpty()) {
        return CheckCommand.UNREADABLE;
      }
      Path history = recorded.get();
      Judgement judgement = HistoryChecker.check(history);
      Path report = settings.folder().resolve("report.html");
      judgement.writeReport(report);
      out.println();
      judgement.print(out);
      out.println("report   " + report);
      out.println("history  " + history);
      out.println("again    " + settings.command());
      out.flush();
      return judgement.verdict().holds() ? CheckCommand.HELD : CheckCommand.BROKEN;
    } catch (IOException | UnreadableHistoryException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(spec.qualifiedName() + ": " + e.getMessage());
      err.flush();
      return CheckCommand.UNREADABLE;
    }
  }

  /** Runs, and returns the history; of a run that was broken off it only says where that is. */
  private static Optional<Path> record(ChaosSettings settings, PrintWriter out)
      throws IOException, UnreadableHistoryException {
    try (ChaosRun run = ChaosRun.open(settings, System::nanoTime, out)) {
      Path history = run.run();
      if (!run.isBrokenOff()) {
        return Optional.of(history);
      }
      out.println();
      out.println("broken off: check can judge what was recorded until then");
      out.println("history  " + history);
      out.println("logs     " + settings.folder());
      out.flush();
      return Optional.empty();
    }
  }

  private ChaosSettings settings() throws IOException {
    try {
      return new ChaosSettings(
          seed,
          duration("--duration", duration),
          kinds(),
          nodes,
          leases,
          checkedTtl(),
          SNAPSHOT_LOG_BYTES,
          again(),
          folder == null
              ? Files.createTempDirectory("leasehold-chaos-report-")
              : Files.createDirectories(folder.toAbsolutePath()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  private Duration checkedTtl() {
    Duration checked = duration("--ttl", ttl);
    if (checked.compareTo(Duration.ofMillis(500)) < 0) {
      throw new IllegalArgumentException("--ttl must be at least 500ms: " + ttl);
    }
    return checked;
  }

  private static Duration duration(String option, String text) {
    try {
      return DurationNotation.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + " " + e.getMessage(), e);
    }
  }

  private Set<FaultKind> kinds() {
    Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
    for (String word : faults) {
      if (word.equals("all")) {
        kinds.addAll(EnumSet.allOf(FaultKind.class));
      } else if (!word.equals("none")) {
        kinds.add(
            FaultKind.of(word)
                .orElseThrow(
                    () ->
                        new IllegalArgumentException(
                            "--faults: there is no " + word + "; there are " + FaultKind.words())));
      }
    }
    return kinds;
  }

  private String again() {
    return "java -jar cluster-harness/target/cluster-harness.jar chaos --duration %s --seed %d --faults %s --nodes %d --leases %d --ttl %s"
        .formatted(duration, seed, String.join(",", faults), nodes, leases, ttl);
  }
}
