package io.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.store.StoreCluster.Client;
import io.leasehold.store.core.BatchReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** When a node refuses to start, in one sentence that says what to do; and how it ends. */
@Isolated
final class StoreStartIT {

  @TempDir Path root;
  private final List<Member> members = StoreCluster.freeMembers();

  @Test
  void aFolderInUseIsRefused() {
    try (StoreNode running = StoreNode.start(config("c", "n1"))) {
      assertThat(running.node()).isEqualTo("n1");

      assertThatThrownBy(() -> StoreNode.start(config("c", "n1")))
          .isInstanceOf(StoreStartException.class)
          .hasMessageContaining("is in use by another node");
    }
  }

  @Test
  void theFolderOfAnotherNodeIsRefused() {
    StoreNode.start(config("c", "n1")).close();

    assertThatThrownBy(() -> StoreNode.start(at("c", "n2", folder("n1"))))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("belongs to node 'n1' and not to 'n2'");
  }

  /** It has promised nothing yet. */
  @Test
  void aListThatWasWrongCanBeCorrectedBeforeTheClusterBegins() throws IOException {
    StoreNode.start(config("c", "n1")).close();
    String before = Files.readString(folder("n1").resolve("node.properties"));
    List<Member> others = List.of(members.get(0), members.get(1), new Member("n7", "127.0.0.1", 1));

    StoreNode.start(StoreConfig.of("c", "n1", others, folder("n1"))).close();

    assertThat(folder("n1").resolve("node.properties")).content().isNotEqualTo(before);
    StoreNode.start(alone("c", others)).close();
    try (StoreNode alone = StoreNode.start(alone("c", members))) {
      assertThat(alone.status().waitsFor()).as("it is in its group for ever").isEmpty();
    }
  }

  private StoreConfig alone(String cluster) {
    return alone(cluster, members);
  }

  private StoreConfig alone(String cluster, List<Member> of) {
    return StoreConfig.of(cluster, "n1", of.subList(0, 1), folder("alone"));
  }

  @Test
  void theFolderOfAnotherClusterIsRefused() {
    StoreNode.start(config("c", "n1")).close();

    assertThatThrownBy(() -> StoreNode.start(config("d", "n1")))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("belongs to cluster 'c' and not to 'd'");
  }

  @Test
  void theFolderOfANewerVersionIsRefused() throws IOException {
    StoreNode.start(config("c", "n1")).close();
    Path identity = folder("n1").resolve("node.properties");
    Files.writeString(identity, Files.readString(identity).replace("format=2", "format=3"));

    assertThatThrownBy(() -> StoreNode.start(config("c", "n1")))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("has format '3' and this version reads 2");
  }

  /** Wherever it is cut, nothing of it may be believed: least of all that it never voted. */
  @Test
  void anIdentityThatIsCutShortIsCalledDamaged() throws IOException {
    StoreNode.start(config("c", "n1")).close();
    Path identity = folder("n1").resolve("node.properties");
    byte[] whole = Files.readAllBytes(identity);

    for (int length = 0; length < whole.length - 1; length++) {
      Files.write(identity, Arrays.copyOf(whole, length));

      assertThatThrownBy(() -> StoreNode.start(config("c", "n1")))
          .as("%d bytes of %d", length, whole.length)
          .isInstanceOf(StoreStartException.class)
          .hasMessageContaining("node.properties is damaged");
    }
    Files.write(identity, whole);
    StoreNode.start(config("c", "n1")).close();
  }

  @Test
  void anIdentityThatIsNoTextIsCalledDamaged() throws IOException {
    StoreNode.start(config("c", "n1")).close();
    Files.write(folder("n1").resolve("node.properties"), new byte[] {'a', '=', (byte) 0xff});

    assertThatThrownBy(() -> StoreNode.start(config("c", "n1")))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("node.properties is damaged");
  }

  @Test
  void aFolderWithSomethingElseInItIsRefused() throws IOException {
    Files.createDirectories(folder("n1"));
    Files.writeString(folder("n1").resolve("letter.txt"), "dear");

    assertThatThrownBy(() -> StoreNode.start(config("c", "n1")))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("is not empty and not a node's");
  }

  @Test
  void aFolderThatCannotBeMadeIsRefused() throws IOException {
    Files.writeString(root.resolve("file"), "not a folder");

    assertThatThrownBy(() -> StoreNode.start(at("c", "n1", root.resolve("file/under"))))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("cannot be written");
  }

  @Test
  void aFolderThatHasForgottenItsVoteIsRefused() throws IOException {
    StoreNode.start(alone("c")).close();
    Path raft = folder("alone").resolve("raft");
    Path meta;
    try (Stream<Path> all = Files.walk(raft)) {
      meta = all.filter(file -> file.endsWith("raft-meta")).findFirst().orElseThrow();
    }
    Files.delete(meta);

    assertThatThrownBy(() -> StoreNode.start(alone("c")))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("has lost its Raft state");
  }

  @Test
  void aTableThatIsCorruptIsRefused() throws IOException {
    StoreNode.start(alone("c")).close();
    Files.writeString(folder("alone").resolve("table/CURRENT"), "garbage");

    assertThatThrownBy(() -> StoreNode.start(alone("c")))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("cannot use its table");
  }

  @Test
  void aTableThatIsRefusedIsMadeAnewOnceItIsDeletedUnlessTheSnapshotIsGoneToo() throws Exception {
    StoreConfig alone = alone("c1").withSnapshotLogBytes(4_096);
    fillAndPurge(alone);
    Path table = folder("alone").resolve("table");
    Files.delete(table.resolve("CURRENT"));

    assertThatThrownBy(() -> StoreNode.start(alone))
        .isInstanceOf(StoreStartException.class)
        .hasMessage(
            "node n1 cannot use its table (the table in %s has lost its file CURRENT): delete the folder %s, and the table is made anew from the snapshot and the log"
                .formatted(table, table));

    StoreCluster.delete(table);
    try (StoreNode node = StoreNode.start(alone)) {
      BatchReply opened = new Client(9).open(node, Duration.ofMinutes(1));
      assertThat(StoreCluster.get(node.readAt(opened.index()), StoreCluster.LIMIT).all().leases())
          .hasSize(75);
    }

    StoreCluster.delete(only(folder("alone"), "sm"));
    assertThatThrownBy(() -> StoreNode.start(alone))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("has lost its snapshots, and its log only begins at entry ");
  }

  /** Each run closes a segment of the log, and only whole ones are purged. */
  private static void fillAndPurge(StoreConfig config) throws Exception {
    for (int run = 0; run < 3; run++) {
      try (StoreNode node = StoreNode.start(config)) {
        Client client = new Client(run + 1);
        client.open(node, Duration.ofMinutes(1));
        for (int i = 1; i <= 25; i++) {
          client.call(node, StoreCluster.acquire("l-" + run + "-" + i, Duration.ofMinutes(1), i));
        }
        StoreCluster.get(node.snapshot(), StoreCluster.LIMIT);
      }
    }
  }

  private static Path only(Path root, String name) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(path -> path.endsWith(name)).findFirst().orElseThrow();
    }
  }

  @Test
  void aLogThatIsCorruptIsRefusedAndOneThatIsTornIsMended() throws IOException {
    StoreConfig alone = alone("c1");
    try (StoreNode node = StoreNode.start(alone)) {
      new Client(1).open(node, Duration.ofMinutes(1));
    }
    Path segment = openSegment(folder("alone"));
    byte[] whole = Files.readAllBytes(segment);
    byte[] half = Arrays.copyOf(whole, whole.length + 4_096);
    // An entry of 4,000 bytes of which only the first sector came to be written.
    half[whole.length] = (byte) 0xa0;
    half[whole.length + 1] = 0x1f;
    half[whole.length + 2] = 1;
    Files.write(segment, half);

    try (StoreNode node = StoreNode.start(alone)) {
      assertThat(new Client(2).open(node, Duration.ofMinutes(1)).status())
          .isEqualTo(BatchReply.Status.APPLIED);
    }

    byte[] corrupt = Files.readAllBytes(openSegment(folder("alone")));
    corrupt[20] ^= 1;
    Files.write(openSegment(folder("alone")), corrupt);
    assertThatThrownBy(() -> StoreNode.start(alone))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("cannot read its Raft state");
  }

  /** What Ratis leaves when the disk is full at the moment at which it writes a vote. */
  @Test
  void aVoteThatWasDestroyedIsReplacedOnlyWhereItsTermIsNoted() throws Exception {
    StoreConfig alone = alone("c1");
    long term;
    try (StoreNode node = StoreNode.start(alone)) {
      new Client(1).open(node, Duration.ofMinutes(1));
      Files.write(only(folder("alone"), "raft-meta"), new byte[0]);
      await("the vote is missed")
          .atMost(StoreCluster.LIMIT)
          .until(() -> node.status().failure().isPresent());
      assertThat(node.status().failure().orElseThrow())
          .contains("this member cannot write its vote", "start this node again");
      term = node.status().term();
    }
    try (StoreNode node = StoreNode.start(alone)) {
      assertThat(new Client(2).open(node, Duration.ofMinutes(1)).status())
          .isEqualTo(BatchReply.Status.APPLIED);
      assertThat(node.status().term()).isGreaterThan(term);
    }
    // Votes have followed of which the note knows nothing.
    Files.write(only(folder("alone"), "raft-meta"), new byte[0]);

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> StoreNode.start(alone))
          .isInstanceOf(StoreStartException.class)
          .hasMessageContaining("has lost its vote");
    }
  }

  private static Path openSegment(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.getFileName().toString().startsWith("log_inprogress_"))
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void aPortInUseIsRefusedAndTheFolderStaysFree() throws IOException {
    int port = members.get(0).port();
    try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
      assertThatThrownBy(() -> StoreNode.start(config("c", "n1")))
          .isInstanceOf(StoreStartException.class)
          .hasMessageContaining("cannot listen on 127.0.0.1 port " + taken.getLocalPort());
    }

    StoreNode.start(config("c", "n1")).close();
  }

  @Test
  void clustersOfDifferentNamesOnCrossedPortsDoNotMix() {
    try (StoreCluster cluster = StoreCluster.start("c", root, members)) {
      cluster.leader();
      cluster.stop("n3");
      try (StoreNode stranger = StoreNode.start(at("d", "n3", folder("stranger")))) {
        new Client(1).open(cluster.follower(), Duration.ofMinutes(1));

        await("the stranger has seen where it is")
            .atMost(StoreCluster.LIMIT)
            .until(() -> stranger.status().waitsFor().orElse("").contains("another cluster"));
        assertThat(stranger.status().leader()).isEmpty();
        assertThat(stranger.status().appliedIndex()).isLessThanOrEqualTo(0);
      }
    }
  }

  @Test
  void noThreadOfANodeIsLeftWhenItIsClosed() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    StoreCluster cluster = StoreCluster.start(root);
    new Client(1).open(cluster.follower(), Duration.ofMinutes(1));

    cluster.close();
    cluster.close();

    await("all threads of the nodes have ended")
        .atMost(StoreCluster.LIMIT)
        .untilAsserted(() -> assertThat(threadsOfNodesBut(before)).isEmpty());
  }

  /** Those of gRPC are shared by the process and end a second after their last use. */
  private static List<String> threadsOfNodesBut(Set<Thread> others) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !others.contains(thread))
        .map(Thread::getName)
        .filter(name -> name.matches("(leasehold-)?n[123]\\b.*|grpc.*|Thread-.*"))
        .toList();
  }

  @Test
  void aClosedNodeRefusesBatches() {
    StoreNode node = StoreNode.start(config("c", "n1"));
    node.close();

    assertThatThrownBy(
            () -> StoreCluster.get(node.propose(new Client(1).batch(), 0), StoreCluster.LIMIT))
        .cause()
        .isInstanceOf(ProposeException.class)
        .hasMessage("the node is closed");
    assertThat(node.status().failure()).contains("the node is closed");
  }

  private Path folder(String id) {
    return root.resolve(id);
  }

  private StoreConfig config(String cluster, String id) {
    return at(cluster, id, folder(id));
  }

  private StoreConfig at(String cluster, String id, Path folder) {
    return StoreConfig.of(cluster, id, members, folder);
  }
}
