package io.leasehold.harness.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.http.HttpNodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class CommandLineTest {

  private static final Duration TTL = Duration.ofSeconds(3);
  private static final String MEMBERS = "--members=n1=127.0.0.1:7101,n2=127.0.0.1:7102";

  @TempDir Path folder;

  private final HttpNodes nodes = new HttpNodes();
  private final String http = "--http=" + nodes.address("n1");

  @AfterEach
  void close() {
    nodes.close();
  }

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
        .startsWith("leasehold: there is no command lease; there are demo, node, leases, watch,");
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
        "node",
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

  @Test
  void leasesAreATable() {
    NodeClient.await(nodes.client("n1").acquire("printer", "a", TTL, Duration.ZERO));
    NodeClient.await(nodes.client("n2").acquire("größe", "owner-b", TTL, Duration.ZERO));

    Run run = Run.of("leases", http);

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            LEASE    OWNER    NODE  TOKEN  TTL  REMAINING  WAITERS
            größe    owner-b  n2    2      3s   3.0s       0
            printer  a        n1    1      3s   3.0s       0
            """);
  }

  @Test
  void leasesAreLinesOfJsonOnRequest() {
    NodeClient.await(nodes.client("n1").acquire("printer", "a", TTL, Duration.ZERO));

    Run run = Run.of("leases", http, "--json");

    assertThat(run.out())
        .startsWith("{\"name\":\"printer\",\"holder\":{\"owner\":\"a\",\"node\":\"n1\"}")
        .endsWith("}\n");
  }

  @Test
  void noLeasesIsSaid() {
    assertThat(Run.of("leases", http).out()).isEqualTo("No lease is held.\n");
    assertThat(Run.of("leases", http, "--json").out()).isEmpty();
  }

  @Test
  void revokeSaysWhatItDid() {
    NodeClient.await(nodes.client("n2").acquire("printer", "b", TTL, Duration.ZERO));

    Run run = Run.of("revoke", "printer", http, "--reason", "for a test");

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith("Revoked \"printer\", token 1, from b on n2. The holder is told");
    assertThat(NodeClient.await(nodes.client("n2").find("printer", "b")).alive()).isFalse();
  }

  @Test
  void unsafeRevokeSaysWhatItMeans() {
    NodeClient.await(nodes.client("n2").acquire("printer", "b", TTL, Duration.ZERO));

    Run run = Run.of("revoke", "printer", http, "--unsafe-now");

    assertThat(run.out()).contains("free at once", "only the fencing token");
  }

  @Test
  void revokeOfNothingFails() {
    Run free = Run.of("revoke", "printer", http);
    NodeClient.await(nodes.client("n2").acquire("printer", "b", TTL, Duration.ZERO));
    Run another = Run.of("revoke", "printer", http, "--token=99");

    assertThat(free.code()).isEqualTo(1);
    assertThat(free.err())
        .isEqualTo("leasehold revoke: \"printer\" is free: there is nothing to revoke\n");
    assertThat(another.code()).isEqualTo(1);
    assertThat(another.err()).contains("no hold of \"printer\" with token 99");
  }

  @Test
  void transferSaysWhoLeads() {
    Run named = Run.of("transfer", http, "--to", "n2");
    Run unnamed = Run.of("transfer", http);

    assertThat(named.code()).isZero();
    assertThat(named.out()).isEqualTo("n2 leads the store now.\n");
    assertThat(unnamed.code()).isZero();
    assertThat(unnamed.out()).isEqualTo("n1 leads the store now.\n");
  }

  @Test
  void transferThatDoesNotSucceedFails() {
    nodes.unwilling.add("n2");
    Run unwilling = Run.of("transfer", http, "--to=n2");
    nodes.unable.add("n2");
    Run unable = Run.of("transfer", http);
    Run stranger = Run.of("transfer", http, "--to=n9");
    nodes.setStatus("n1", Optional.empty(), Optional.empty());
    Run leaderless = Run.of("transfer", http);

    assertThat(List.of(unwilling.code(), unable.code(), stranger.code(), leaderless.code()))
        .containsOnly(1);
    assertThat(unwilling.err())
        .isEqualTo("leasehold transfer: n2 has not taken the leadership over in time, n1 leads\n");
    assertThat(unable.err()).isEqualTo("leasehold transfer: member n2 does not answer\n");
    assertThat(stranger.err()).contains("to must be one of the members");
    assertThat(leaderless.err()).contains("no leader is known to n1");
  }

  @Test
  void transferWithNobodyElseFails() {
    nodes.setSoleMember("n1");

    Run run = Run.of("transfer", http);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "leasehold transfer: n1 is the only member: there is nobody to hand the leadership to\n");
  }

  @Test
  void snapshotSaysItsIndex() {
    Run run = Run.of("snapshot", http);

    assertThat(run.code()).isZero();
    assertThat(run.out()).isEqualTo("The newest snapshot of n1 is at index 41.\n");
  }

  @Test
  void backupIsSavedIntoANewFile() throws IOException {
    Path file = folder.resolve("leases.zip");

    Run saved = Run.of("snapshot", "save", file.toString(), http);

    assertThat(saved.err()).isEmpty();
    assertThat(saved.code()).isZero();
    assertThat(saved.out()).startsWith("Saved what the node at ").endsWith(file + "\n");
    assertThat(file).hasContent("all that n1 holds");
    Run nowhere = Run.of("snapshot", "save", folder.resolve("none/leases.zip").toString(), http);
    assertThat(nowhere.err()).contains("there is no folder " + folder.resolve("none"));
    Run again = Run.of("snapshot", "save", file.toString(), http);
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).isEqualTo("leasehold snapshot save: " + file + " is there already\n");
  }

  @Test
  void backupThatCannotBeMadeLeavesNoFile() {
    nodes.unable.add("n1");
    Path file = folder.resolve("leases.zip");

    Run run = Run.of("snapshot", "save", file.toString(), http);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("the disk is full");
    assertThat(file).doesNotExist();
  }

  @Test
  void whatIsNoBackupIsNotRestored() throws IOException {
    Path file = Files.writeString(folder.resolve("leases.zip"), "all that n1 holds");
    String dir = "--dir=" + folder.resolve("n1");

    Run run =
        Run.of("snapshot", "restore", file.toString(), "--id=n1", MEMBERS, dir, "--cluster=new");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err().strip())
        .startsWith("leasehold snapshot restore: " + file + " cannot be restored into")
        .doesNotContain("\n");
  }

  @Test
  void comparedReplicasAreTheSameOrNot() {
    String both = http + "," + nodes.address("n2");

    Run same = Run.of("compare", both);
    assertThat(same.code()).isZero();
    assertThat(same.out())
        .isEqualTo(
            """
            NODE  INDEX  LAST TOKEN  SHA-256
            n1    44     9           same
            n2    44     9           same
            They are the same.
            """);

    nodes.diverged.add("n2");
    Run different = Run.of("compare", both);
    assertThat(different.code()).isEqualTo(1);
    assertThat(different.out()).endsWith("They differ.\n");
    assertThat(Run.of("compare", both, "--json").out())
        .startsWith("{\"node\":\"n1\",\"index\":44,")
        .contains("\n{\"node\":\"n2\",");
  }

  @Test
  void membersAreATable() {
    String asked = "--http=" + nodes.address("n2");

    assertThat(Run.of("members", asked).out())
        .isEqualTo(
            """
            MEMBER  ADDRESS         ROLE
            n1      127.0.0.1:9001  LEADER
            n2      [::1]:9002      FOLLOWER  this node
            """);
    assertThat(Run.of("members", asked, "--json").out()).startsWith("{\"node\":\"n2\",");
    nodes.setStatus("n2", Optional.empty(), Optional.of("the disk is full"));
    assertThat(Run.of("members", asked).out()).contains("-\n", "the disk is full\n");
  }

  @Test
  void whyMembersDoNotChangeIsPassedOn() {
    String asked = "--http=" + nodes.address("n2");

    Run added = Run.of("members", "add", "n4=127.0.0.1:9004", asked);
    Run removed = Run.of("members", "remove", "n9", asked);

    assertThat(added.code()).isEqualTo(1);
    assertThat(added.err())
        .isEqualTo("leasehold members add: n4 does not answer at 127.0.0.1:9004\n");
    assertThat(removed.code()).isEqualTo(1);
    assertThat(removed.err()).contains("must be one of the members: n9");
  }

  @Test
  void watchPrintsALineForEachEventUntilTheNodeEnds() {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CompletableFuture<Integer> code =
        CompletableFuture.supplyAsync(() -> Run.execute(out, err, "watch", http, "printer"));
    await("the first line").until(() -> out.toString().contains("n1 leads, term 3"));

    NodeClient.await(nodes.client("n2").acquire("other", "b", TTL, Duration.ZERO));
    NodeClient.await(nodes.client("n1").acquire("printer", "a", TTL, Duration.ZERO));
    NodeClient.await(nodes.client("n2").revoke("printer", null, "for a test", false));
    await("the last line").until(() -> out.toString().contains("lost by"));
    nodes.close();

    assertThat(code).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(1);
    assertThat(out.toString().lines().map(line -> line.replaceAll("^[0-9:.]+  ", "")))
        .contains(
            "\"printer\" granted to a on n1, token 2", "\"printer\" revoked from a on n1, token 2")
        .anyMatch(line -> line.startsWith("\"printer\" lost by a on n1, token 2: REVOKED, "))
        .noneMatch(line -> line.contains("other"));
    assertThat(err.toString())
        .isEqualTo("leasehold watch: the node at " + http.substring(7) + " has ended the stream\n");
  }

  @Test
  void refusalOfTheNodeIsPassedOn() {
    Run run = Run.of("revoke", "x".repeat(600), http);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).startsWith("leasehold revoke: name must have at most 512 bytes");
  }

  @ParameterizedTest
  @ValueSource(strings = {"leases", "watch", "revoke", "members", "transfer", "snapshot"})
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

  private record Run(int code, String out, String err) {

    static Run of(String... args) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      int code = execute(out, err, args);
      return new Run(code, out.toString(), err.toString());
    }

    static int execute(StringWriter out, StringWriter err, String... args) {
      CommandLine commandLine = LeaseholdCommand.commandLine();
      commandLine.setOut(new PrintWriter(out, true));
      commandLine.setErr(new PrintWriter(err, true));
      return commandLine.execute(args);
    }
  }
}
