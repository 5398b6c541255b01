package io.leasehold.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.bench.cluster.BenchLog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class LoadCommandIT {

  @BeforeAll
  static void keepTheLogQuiet() {
    BenchLog.quiet();
  }

  @Test
  @Tag("processes")
  void threeProcessesCanBeMeasured() {
    Run run = Run.of("--place=leader --callers=2 --duration=200ms --warm-up=100ms --idle=0 --json");

    assertThat(run.errors()).isEmpty();
    assertThat(run.workloads()).containsExactly("environment", "cycles");
  }

  @Test
  void threeNodesInOneJvmCanBeMeasuredInBothPlaces() {
    Run run =
        Run.of(
            "--embedded --callers=2 --duration=200ms --warm-up=100ms --waiters=2 --idle=0 --json");

    assertThat(run.errors()).isEmpty();
    assertThat(run.workloads())
        .containsExactly("environment", "cycles", "cycles", "ratios", "hand-overs", "hand-overs");
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

    List<String> workloads() {
      return output
          .lines()
          .map(line -> line.replaceAll("\\{\"workload\":\"([a-z-]+)\".*", "$1"))
          .toList();
    }
  }
}
