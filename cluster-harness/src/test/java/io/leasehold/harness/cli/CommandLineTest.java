package io.leasehold.harness.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CommandLineTest {

  private static final String MEMBERS = "--members=n1=127.0.0.1:7101,n2=127.0.0.1:7102";

  static Stream<Arguments> wrongUsages() {
    return Stream.of(
        row("an unknown command", "lease"),
        row("an unknown option", "demo", "--jsn"),
        row("too many arguments", "leases", "--http=1", "x"),
        row("a missing option", "leases"),
        row("a missing name", "revoke", "--http=1"),
        row("a missing address", "transfer", "--to=n1"),
        row("members of nobody", "members"),
        row("a member that is none", "members", "add", "n4", "--http=1"),
        row("nobody to add", "members", "add", "--http=1"),
        row("nobody to remove", "members", "remove", "--http=1"),
        row("a snapshot of something", "snapshot", "--http=1", "x"),
        row("a snapshot of nobody", "snapshot"),
        row("a backup into nothing", "snapshot", "save", "--http=1"),
        row("a restore without a name", "snapshot", "restore", "f", "--id=n1", MEMBERS, "--dir=d"),
        row(
            "a restore of a stranger",
            "snapshot",
            "restore",
            "f",
            "--id=n9",
            MEMBERS,
            "--dir=d",
            "--cluster=c"),
        row("a status of nobody", "status"),
        row("no nodes", "up", "--nodes=0"),
        row("too many nodes", "up", "--nodes=10"),
        row("nodes that are no number", "up", "--nodes=three"),
        row("a page for everybody", "up", "--http=0.0.0.0:8080"),
        row("reports that are not there", "up", "--reports=/nowhere/at/all"),
        row("a folder that is a file", "up", "--http=0", "--dir=pom.xml"),
        row("a drill that is none", "drill", "fire"),
        row("a comparison with nothing", "compare", "--http=1"),
        row("a bad address", "leases", "--http=nowhere"),
        row("a bad port", "leases", "--http=127.0.0.1:99999"),
        row("a bad token", "revoke", "x", "--http=1", "--token=seven"),
        row("bad members", "node", "--id=n1", "--members=n1", "--dir=d", "--http=1"),
        row("a member twice", "node", "--id=n1", "--members=n1=a:1,n1=b:1", "--dir=d", "--http=1"),
        row(
            "an address twice",
            "node",
            "--id=n1",
            "--members=n1=a:1,n2=a:1",
            "--dir=d",
            "--http=1"),
        row("a stranger", "node", "--id=n9", MEMBERS, "--dir=d", "--http=1"),
        row("no folder", "node", "--id=n1", MEMBERS, "--http=1"),
        row("a bad level", "node", "--id=n1", MEMBERS, "--dir=d", "--http=1", "--log-level=ALL"));
  }

  @ParameterizedTest
  @MethodSource("wrongUsages")
  void wrongUsageIsOneLineAndCode2(List<String> args) {
    Run run = Run.of(args.toArray(String[]::new));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().strip()).isNotEmpty().doesNotContain("\n", "Exception");
    assertThat(run.err()).startsWith("leasehold").contains("--help)");
  }

  @Test
  void whatWasNotUnderstoodIsNamed() {
    assertThat(Run.of("leases", "--htp", "x").err())
        .isEqualTo("leasehold leases: there is no option --htp (see leasehold leases --help)\n");
    assertThat(Run.of("lease").err())
        .startsWith(
            "leasehold: there is no command lease; there are demo, up, node, status, leases, watch,");
    assertThat(Run.of("leases", "x").err()).contains("--http");
    assertThat(Run.of("leases", "--http=1", "x").err()).contains("'x'");
  }

  @Test
  void nothingIsWrongUsageToo() {
    Run run = Run.of();

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("Usage: leasehold", "demo", "node", "leases", "watch", "revoke");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "demo",
        "up",
        "node",
        "status",
        "leases",
        "watch",
        "revoke",
        "members",
        "transfer",
        "snapshot",
        "compare",
        "drill",
        "check",
        "chaos"
      })
  void everyCommandHasHelp(String command) {
    Run run = command.isEmpty() ? Run.of("--help") : Run.of(command, "--help");

    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("Usage: leasehold " + command).doesNotContain("end-with-stdin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "leases", "watch", "revoke", "members", "transfer", "snapshot"})
  void nobodyThereIsOneSentence(String command) throws IOException {
    int port;
    try (ServerSocket closedAgain = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = closedAgain.getLocalPort();
    }
    String nowhere = "--http=" + port;

    Run run =
        command.equals("revoke") ? Run.of(command, "printer", nowhere) : Run.of(command, nowhere);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "leasehold %s: no node answers at 127.0.0.1:%d; is it running, and is this its --http address?\n"
                .formatted(command, port));
  }

  @Test
  void portOfSomethingElseIsAskedFor() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      CompletableFuture<Void> speaksAnotherProtocol =
          CompletableFuture.runAsync(
              () -> {
                try (Socket caller = other.accept()) {
                  caller.getOutputStream().write("220 ready\r\n".getBytes(US_ASCII));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });

      Run run = Run.of("leases", "--http=" + other.getLocalPort());

      assertThat(speaksAnotherProtocol).succeedsWithin(Duration.ofSeconds(10));
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err()).contains("broke off; is this its --http address?");
    }
  }

  private static Arguments row(String what, String... args) {
    return argumentSet(what, List.of(args));
  }
}
