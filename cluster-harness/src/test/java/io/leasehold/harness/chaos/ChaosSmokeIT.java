package io.leasehold.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.check.HistoryChecker;
import io.leasehold.harness.check.Judgement;
import io.leasehold.harness.check.Rule;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

/**
 * A short run under faults on real processes keeps every promise. It does what can be done on the
 * machine; what cannot is said in its output, not passed over.
 */
@Tag("chaos")
@Isolated
class ChaosSmokeIT {

  @TempDir Path folder;

  @Test
  void shortRunUnderFaultsKeepsEveryPromise() throws Exception {
    StringWriter out = new StringWriter();
    CommandLine command = new CommandLine(new ChaosCommand());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(out, true));

    int code =
        command.execute(
            "--duration", "40s", "--seed", "1", "--ttl", "3s", "--report", folder.toString());

    System.out.println(out);
    assertThat(code).as("%s", out).isZero();
    Judgement judgement = HistoryChecker.check(folder.resolve("history.jsonl"));
    assertThat(judgement.verdict().totals().granted()).isPositive();
    assertThat(judgement.verdict().totals().injectedFaults()).isPositive();
    assertThat(judgement.verdict().rules())
        .as("replicas were compared, their time and tokens judged, and the singleton's tasks")
        .allSatisfy(
            (rule, score) -> {
              if (Set.of(Rule.S11, Rule.S12, Rule.S14, Rule.S18).contains(rule)) {
                assertThat(score.judged()).as("%s", rule).isPositive();
              }
            });
    assertThat(folder.resolve("report.html")).isNotEmptyFile();
  }
}
