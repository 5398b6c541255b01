package io.leasehold.harness.chaos;

import io.leasehold.harness.DurationText;
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
      "Runs a cluster of real processes and a workload while doing harm to them, records all that"
          + " happens, and judges the record.",
      "What harm can be done depends on the machine: partitions and slow links want root, ip and"
          + " iptables; wall clocks and failing disks a C compiler; drifting clocks libfaketime; a"
          + " full disk root. A fault that cannot be injected is said to be."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:every promise held",
      "1:at least one was broken; the operations are shown",
      "2:the run could not be made"
    })
@SuppressWarnings("NullAway.Init") // picocli fills the annotated fields before it calls.
public final class ChaosCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Option(
      names = "--duration",
      defaultValue = "60s",
      description = "how long, such as 60s or 30m (default: ${DEFAULT-VALUE})")
  private String duration;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "what all choices come from (default: ${DEFAULT-VALUE})")
  private long seed;

  @Option(
      names = "--faults",
      split = ",",
      defaultValue = "all",
      description =
          "which, separated by commas: all, none, kill, pause, partition, holder, leader, slow,"
              + " lossy, wall, drift, fsync, disk, restart, restart-all (default: ${DEFAULT-VALUE})")
  private List<String> faults;

  @Option(names = "--nodes", defaultValue = "3", description = "default: ${DEFAULT-VALUE}")
  private int nodes;

  @Option(names = "--leases", defaultValue = "8", description = "default: ${DEFAULT-VALUE}")
  private int leases;

  @Option(
      names = "--ttl",
      defaultValue = "2s",
      description = "of every lease (default: ${DEFAULT-VALUE})")
  private String ttl;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "where the report, the history and the nodes' logs go (default: a new folder)")
  private @Nullable Path folder;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (WorkFolder work = WorkFolder.create()) {
      ChaosSettings settings = settings();
      Path history = new ChaosRun(settings, work.path(), System::nanoTime, out).run();
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
      err.println("chaos: " + e.getMessage());
      err.flush();
      return CheckCommand.UNREADABLE;
    }
  }

  private ChaosSettings settings() throws IOException {
    try {
      return new ChaosSettings(
          seed,
          DurationText.parse(duration),
          kinds(),
          nodes,
          leases,
          checkedTtl(),
          2_000,
          again(),
          folder == null
              ? Files.createTempDirectory("leasehold-chaos-report-")
              : Files.createDirectories(folder.toAbsolutePath()));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  private Duration checkedTtl() {
    Duration checked = DurationText.parse(ttl);
    if (checked.compareTo(Duration.ofMillis(500)) < 0) {
      throw new IllegalArgumentException("--ttl must be at least 500ms: " + ttl);
    }
    return checked;
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
