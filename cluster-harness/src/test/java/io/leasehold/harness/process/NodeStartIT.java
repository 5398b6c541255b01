package io.leasehold.harness.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeCallException;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.store.Member;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a user can do wrong when starting a node ends in one sentence and a non-zero exit code. */
final class NodeStartIT {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path folder;
  private final List<NodeProcess> started = new ArrayList<>();
  private List<NodePlan> plans = List.of();

  @BeforeEach
  void plan() {
    plans = LocalCluster.plan(folder, 3, NodePlan.SMALL_JVM);
  }

  @AfterEach
  void stop() {
    started.forEach(NodeProcess::close);
  }

  @Test
  void nodeWithoutTheOthersStartsAndIsNotHealthyAndEndsInOrder() {
    NodeProcess alone = start(plans.get(0));
    alone.awaitReady(LIMIT);

    assertThatThrownBy(() -> NodeClient.await(alone.client().health()))
        .isInstanceOfSatisfying(
            NodeCallException.class, refusal -> assertThat(refusal.status()).isEqualTo(503))
        .hasMessageContaining("not there yet: n2");
    alone.terminate();

    assertThat(alone.awaitExit(LIMIT)).isZero();
    assertThat(alone.errorText()).isEmpty();
  }

  @Test
  void nodeThatIsAskedToEndWhileItStartsEndsInOrder() {
    NodeProcess node = start(plans.get(0));
    await("its start")
        .atMost(LIMIT)
        .until(() -> Files.exists(node.log()) && Files.size(node.log()) > 0);

    node.terminate();

    assertThat(node.awaitExit(LIMIT)).isZero();
    assertThat(node.errorText()).isEmpty();
  }

  @Test
  void takenMemberPort() throws IOException {
    try (ServerSocket taken = listenOn(plans.get(0).members().get(0).port())) {
      assertFailure(plans.get(0), 1, "port " + taken.getLocalPort());
    }
  }

  @Test
  void takenHttpPort() throws IOException {
    try (ServerSocket taken = listenOn(plans.get(0).http().port())) {
      assertFailure(plans.get(0), 1, ":" + taken.getLocalPort());
    }
    assertThat(plans.get(0).folder().resolve("store")).as("it has joined nobody").doesNotExist();
  }

  @Test
  void folderThatCannotBeMade() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertFailure(plans.get(0).withFolder(file.resolve("n1")), 1, file + "/n1");
  }

  @Test
  void memberListWithoutThisNode() {
    NodePlan plan = plans.get(0);
    NodePlan stranger =
        new NodePlan(
            plan.cluster(),
            "n9",
            plan.members(),
            plan.folder(),
            plan.http(),
            plan.electionTimeout(),
            plan.jvmOptions());

    assertFailure(stranger, 2, "n9 is not among the --members");
  }

  @Test
  void valueBeyondItsLimits() {
    NodePlan plan = plans.get(0);
    NodePlan impatient =
        new NodePlan(
            plan.cluster(),
            plan.id(),
            plan.members(),
            plan.folder(),
            plan.http(),
            Duration.ofMillis(1),
            plan.jvmOptions());

    assertFailure(impatient, 2, "electionTimeoutMin must be from");
  }

  @Test
  void memberOfAnUnknownHost() {
    NodePlan plan = plans.get(0);
    List<Member> members = new ArrayList<>(plan.members());
    members.set(0, new Member("n1", "no-such-host.invalid", 7101));
    NodePlan unknown =
        new NodePlan(
            plan.cluster(),
            "n1",
            members,
            plan.folder(),
            plan.http(),
            plan.electionTimeout(),
            plan.jvmOptions());

    assertFailure(unknown, 1, "no-such-host.invalid");
  }

  @Test
  void membersOnANetworkWithoutTls() {
    NodePlan plan = plans.get(0);
    List<Member> members = new ArrayList<>(plan.members());
    members.set(1, new Member("n2", "10.0.0.2", 7101));
    NodePlan exposed =
        new NodePlan(
            plan.cluster(),
            "n1",
            members,
            plan.folder(),
            plan.http(),
            plan.electionTimeout(),
            plan.jvmOptions());

    assertFailure(exposed, 1, "would speak without TLS with n2 at 10.0.0.2:7101");
  }

  @Test
  void httpOnANetworkWithoutAToken() {
    NodePlan plan = plans.get(0);
    NodePlan exposed =
        new NodePlan(
            plan.cluster(),
            plan.id(),
            plan.members(),
            plan.folder(),
            new HostPort("0.0.0.0", plan.http().port()),
            plan.electionTimeout(),
            plan.jvmOptions());

    assertFailure(exposed, 1, "--http-token-file");
  }

  @Test
  void twoNodesWithOneIdOrOneFolder() {
    NodeProcess first = start(plans.get(0));
    first.awaitReady(LIMIT);

    NodePlan plan = plans.get(0);
    NodePlan sameId =
        new NodePlan(
            plan.cluster(),
            plan.id(),
            plan.members(),
            folder.resolve("another"),
            plans.get(1).http(),
            plan.electionTimeout(),
            plan.jvmOptions());
    assertFailure(sameId, 1, "port " + sameId.members().get(0).port());
    assertFailure(plan, 1, "in use");
    assertFailure(plans.get(1).withFolder(plans.get(0).folder()), 1, "in use");
    assertThat(first.log()).content().doesNotContain("cannot start");
  }

  @Test
  void folderOfAnotherNodeOrCluster() {
    NodeProcess first = start(plans.get(0));
    first.awaitReady(LIMIT);
    first.kill();

    assertFailure(plans.get(1).withFolder(plans.get(0).folder()), 1, "belongs to node 'n1'");
    NodePlan plan = plans.get(0);
    NodePlan otherCluster =
        new NodePlan(
            "other",
            plan.id(),
            plan.members(),
            plan.folder(),
            plan.http(),
            plan.electionTimeout(),
            plan.jvmOptions());
    assertFailure(otherCluster, 1, "belongs to cluster 'local'");
  }

  @Test
  void stateThatCannotBeRead() throws IOException {
    NodePlan alone = LocalCluster.plan(folder, 1, NodePlan.SMALL_JVM).get(0);
    NodeProcess first = start(alone);
    first.awaitReady(LIMIT);
    first.kill();
    Path store = alone.store();
    Path table = store.resolve("table");
    try (Stream<Path> files = Files.list(table)) {
      Path manifest =
          files
              .filter(f -> f.getFileName().toString().startsWith("MANIFEST"))
              .findFirst()
              .orElseThrow();
      Files.writeString(manifest, "no manifest");
    }

    assertFailure(alone, 1, store.toString());
  }

  /** In the identity, in Ratis' own check, and with nothing left at all. */
  @ParameterizedTest(name = "{0} kB of 16 MB are free")
  @ValueSource(ints = {0, 4, 64, 4_000})
  void diskThatIsFull(int freeKilobytes) throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString()))
        .as("mounting a small file system: that takes root")
        .isZero();
    try {
      Path ballast = disk.resolve("ballast");
      fill(ballast, freeKilobytes);
      NodePlan plan = plans.get(0).withFolder(disk.resolve("n1"));

      assertFailure(plan, 1, plan.folder() + "/store is full: make room and start it again");

      Files.delete(ballast);
      NodeProcess node = start(plan);
      node.awaitReady(LIMIT);
      node.kill();
    } finally {
      assertThat(run("umount", "-l", disk.toString())).isZero();
    }
  }

  private static void fill(Path ballast, int freeKilobytes) throws IOException {
    long free = Files.getFileStore(ballast.getParent()).getUsableSpace();
    try (OutputStream out = Files.newOutputStream(ballast)) {
      byte[] kilobyte = new byte[1 << 10];
      for (long left = free / kilobyte.length - freeKilobytes; left > 0; left--) {
        out.write(kilobyte);
      }
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }

  private void assertFailure(NodePlan plan, int code, String part) {
    NodeProcess node = start(plan);

    assertThat(node.awaitExit(LIMIT)).as(node.errorText()).isEqualTo(code);
    assertThat(node.errorText()).contains(part).doesNotContain("\n", "\tat ", "Exception");
  }

  private NodeProcess start(NodePlan plan) {
    NodeProcess node =
        NodeProcess.start(plan, folder.resolve(plan.id() + "-" + started.size() + ".err"));
    started.add(node);
    return node;
  }

  private static ServerSocket listenOn(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getByName(HostPort.LOOPBACK));
  }
}
