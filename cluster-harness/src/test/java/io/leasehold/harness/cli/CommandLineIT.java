package io.leasehold.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.http.HttpNodes;
import io.leasehold.harness.wire.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The command line as people and programs run it: each command from the jar. */
final class CommandLineIT {

  private static final Path JAR = Path.of("target", "cluster-harness.jar").toAbsolutePath();

  @Test
  void everyCommandOfTheJarHasHelp() {
    List<String> commands = List.copyOf(LeaseholdCommand.commandLine().getSubcommands().keySet());

    commands.parallelStream()
        .map(command -> run(command, "--help"))
        .forEach(
            run -> {
              assertThat(run.code()).as(run.command()).isZero();
              assertThat(run.err()).as(run.command()).isEmpty();
              assertThat(run.out()).contains("Usage: leasehold " + run.command().split(" ")[0]);
            });
    assertThat(commands).contains("up", "status", "chaos").hasSizeGreaterThanOrEqualTo(14);
  }

  @Test
  void everyCommandOfTheJarTellsAnErrorInOneLine() {
    List<String> commands = List.copyOf(LeaseholdCommand.commandLine().getSubcommands().keySet());

    commands.parallelStream()
        .map(command -> run(command, "--no-such-option"))
        .forEach(
            run -> {
              assertThat(run.code()).as(run.command()).isEqualTo(2);
              assertThat(run.out()).as(run.command()).isEmpty();
              assertThat(run.err())
                  .as(run.command())
                  .hasLineCount(1)
                  .contains("there is no option --no-such-option");
            });
  }

  @Test
  void jsonOfTheJarIsOneObjectALineWithoutColours() {
    try (HttpNodes nodes = new HttpNodes()) {
      String http = "--http=" + nodes.address("n1");
      NodeClient.await(
          nodes.client("n1").acquire("größe", "a", Duration.ofSeconds(3), Duration.ZERO));

      Stream.of(
              List.of("status", http),
              List.of("leases", http),
              List.of("members", http),
              List.of("snapshot", http),
              List.of("transfer", http, "--to=n1"),
              List.of("compare", http + "," + nodes.address("n2")))
          .parallel()
          .map(
              args -> run(Stream.concat(args.stream(), Stream.of("--json")).toArray(String[]::new)))
          .forEach(
              run -> {
                assertThat(run.code()).as(run.command() + run.err()).isZero();
                assertThat(run.err()).as(run.command()).isEmpty();
                assertThat(run.out().lines().toList())
                    .isNotEmpty()
                    .allMatch(
                        line ->
                            Wire.read(line, com.fasterxml.jackson.databind.JsonNode.class)
                                .isObject());
              });
      assertThat(run("leases", http, "--json").out()).contains("größe");
    }
  }

  private record JarRun(String command, int code, String out, String err) {}

  private static JarRun run(String... args) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Dfile.encoding=UTF-8",
                "-Dsun.stdout.encoding=UTF-8",
                "-jar",
                JAR.toString()));
    command.addAll(Arrays.asList(args));
    try {
      Process process = new ProcessBuilder(command).start();
      process.getOutputStream().close();
      String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new JarRun(String.join(" ", args), process.waitFor(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
