package io.leasehold.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.bench.cluster.BenchLog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class LoadCommandIT {

  @BeforeAll
  static void keepTheLogQuiet() {
    BenchLog.quiet();
  }

  @Test
  @Tag("processes")
  void threeProcessesCanBeMeasured() {
    Run run =
        Run.of(
            "--place=leader --callers=2 --rates=100 --duration=200ms --warm-up=100ms --idle=0"
                + " --json");

    assertThat(run.errors()).isEmpty();
    assertThat(run.workloads())
        .containsExactly("environment", "cycles", "cycles", "ratios", "arrivals", "arrivals");
  }

  @Test
  @Tag("processes")
  void aHolderCanBeKilled() {
    Run run = Run.of("--no-cycles --place=follower --holder-kills=1 --idle=0 --json");

    assertThat(run.errors()).isEmpty();
    assertThat(run.workloads()).containsExactly("environment", "holder-killed");
    assertThat(run.output()).contains("\"early\":0");
  }

  @Test
  @Tag("processes")
  void aLeaderCanBeKilled() {
    Run run = Run.of("--no-cycles --leader-kills=1 --idle=0 --json");

    assertThat(run.errors()).isEmpty();
    assertThat(run.workloads()).containsExactly("environment", "leader-killed");
    assertThat(run.output()).contains("\"lost\":0");
  }

  @Test
  @Tag("processes")
  void nodesCanBeStarted() {
    Run run = Run.of("--no-cycles --starts=1 --idle=0 --json");

    assertThat(run.errors()).isEmpty();
    assertThat(run.workloads()).containsExactly("environment", "starts", "starts", "starts");
  }

  @Test
  void threeNodesInOneJvmCanBeMeasuredInBothPlacesAndBesideTheFloor(@TempDir Path folder) {
    Path chart = folder.resolve("cycles.png");
    Run run =
        Run.of(
            "--embedded --callers=2 --duration=200ms --warm-up=100ms --waiters=2 --rates=100"
                + " --idle=0 --json --chart="
                + chart);

    assertThat(run.errors()).isEmpty();
    assertThat(run.timesOf("cycles")).isEqualTo(3);
    assertThat(run.timesOf("ratios")).isEqualTo(2);
    assertThat(run.timesOf("arrivals")).isEqualTo(3);
    assertThat(run.timesOf("hand-overs")).isEqualTo(3);
    assertThat(chart).isNotEmptyFile();
  }

  @Test
  void whatIsNoProcessCannotBeKilled() {
    Run run = Run.of("--embedded --leader-kills=1");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors()).contains("--embedded");
  }

  @Test
  void aChartIsRefusedBeforeAnythingIsMeasuredUnlessItCanBeDrawn() {
    Run run = Run.of("--chart=cycles.svg");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors()).contains(".png");
  }

  @Test
  @Tag("processes")
  void threeIdleProcessesCanBeMeasured() {
    Run run = Run.of("--no-cycles --idle=3 --settle=200ms --idle-duration=200ms --json");

    assertThat(run.errors()).isEmpty();
    assertThat(run.workloads()).containsExactly("environment", "holding");
  }

  @Test
  void anUnknownPeerIsRefused() {
    Run run = Run.of("--peers=nobody");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.errors()).contains("peer");
  }

  private record Run(int code, String output, String errors) {

    static Run of(String options) {
      StringWriter output = new StringWriter();
      StringWriter errors = new StringWriter();
      int code =
          new CommandLine(new LoadCommand())
              .setOut(new PrintWriter(output))
              .setErr(new PrintWriter(errors))
              .execute(options.split(" "));
      return new Run(code, output.toString(), errors.toString());
    }

    long timesOf(String workload) {
      return workloads().stream().filter(workload::equals).count();
    }

    List<String> workloads() {
      return output
          .lines()
          .map(line -> line.replaceAll("\\{\"workload\":\"([a-z-]+)\".*", "$1"))
          .toList();
    }
  }
}
