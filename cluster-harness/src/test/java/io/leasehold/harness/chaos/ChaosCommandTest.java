package io.leasehold.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Bad input ends with code 2 and says what is wrong, before anything is started. */
class ChaosCommandTest {

  private final StringWriter err = new StringWriter();

  @Test
  void unknownFaultIsRefusedWithTheKnownOnes() {
    assertThat(run("--faults", "kill,earthquake")).isEqualTo(2);
    assertThat(err.toString()).contains("earthquake").contains("restart-all");
  }

  @Test
  void badDurationIsRefused() {
    assertThat(run("--duration", "soon")).isEqualTo(2);
    assertThat(run("--duration", "5s")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--duration must be written like", "soon")
        .contains("at least 10 s");
  }

  @Test
  void badNumbersAreRefused() {
    assertThat(run("--nodes", "0")).isEqualTo(2);
    assertThat(run("--leases", "0")).isEqualTo(2);
    assertThat(run("--ttl", "10ms")).isEqualTo(2);
    assertThat(run("--ttl", "10")).isEqualTo(2);
    assertThat(err.toString()).contains("--ttl must be written like");
  }

  @Test
  void helpNamesEveryFault() {
    String help = new CommandLine(new ChaosCommand()).getUsageMessage();

    for (FaultKind kind : FaultKind.values()) {
      assertThat(help).containsPattern("\\b" + kind.word() + "\\b");
    }
  }

  private int run(String... arguments) {
    CommandLine command = new CommandLine(new ChaosCommand());
    command.setErr(new PrintWriter(err, true));
    return command.execute(arguments);
  }
}
