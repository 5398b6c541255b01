package io.leasehold.store;

import static io.leasehold.store.StoreCluster.LIMIT;
import static io.leasehold.store.StoreCluster.acquire;
import static io.leasehold.store.StoreCluster.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.store.StoreCluster.Client;
import io.leasehold.store.core.Reply;
import io.leasehold.store.rocks.RocksLeaseTable;
import io.leasehold.store.rocks.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that a cluster holds, in a file, and a new cluster that begins with it. */
final class BackupIT {

  private static final Duration TTL = Duration.ofMinutes(5);

  @TempDir static Path once;
  private static Path file;
  private static List<Member> members;
  private static long lastTokenOfTheOldOne;
  private static long heldToken;

  @TempDir Path root;

  @BeforeAll
  static void backUp() throws Exception {
    file = once.resolve("leases.zip");
    try (StoreCluster old = StoreCluster.start(once.resolve("old"))) {
      members = old.members();
      Client client = new Client(1);
      client.open(old.leader(), TTL);
      heldToken = token(client.call(old.leader(), acquire("held", TTL, 1)));
      long index = client.call(old.leader(), acquire("too", TTL, 2)).index();
      StoreNode follower = old.follower();
      get(follower.readAt(index), LIMIT);

      assertThat(get(follower.backup(file), LIMIT)).isGreaterThanOrEqualTo(index);

      lastTokenOfTheOldOne = token(client.call(old.leader(), acquire("later", TTL, 3)));
    }
  }

  private static long token(io.leasehold.store.core.BatchReply reply) {
    return ((Reply.Granted) reply.replies().get(0)).token();
  }

  private StoreConfig config(String id) {
    return StoreConfig.of("new", id, members, root.resolve("new").resolve(id));
  }

  @Test
  void aNewClusterHoldsWhatTheOldOneHeldAndItsTokensAreGreater() throws Exception {
    members.forEach(member -> StoreNode.restore(file, config(member.id())));

    try (StoreCluster cluster = StoreCluster.start("new", root.resolve("new"), members)) {
      StoreNode leader = cluster.leader();
      Client client = new Client(7);
      long index = client.open(leader, TTL).index();
      for (StoreNode node : cluster.nodes()) {
        List<LeaseReading> held = get(node.readAt(index), LIMIT).all().leases();
        assertThat(held).extracting(each -> each.lease().name()).containsExactly("held", "too");
        assertThat(held).extracting(each -> each.lease().token()).contains(heldToken);
        assertThat(held).allMatch(each -> each.remainingNanos() > TTL.toNanos() * 9 / 10);
      }
      assertThat(token(client.call(leader, acquire("later", TTL, 1))))
          .isGreaterThan(lastTokenOfTheOldOne);
      cluster.stopAll();
      cluster.startAll();
      assertThat(client.call(cluster.leader(), acquire("held", TTL, 2)).replies().get(0))
          .isInstanceOf(Reply.HeldByOther.class);
    }
  }

  @Test
  void onlyMembersThatBeganWithTheSameBackupAreACluster() throws Exception {
    Path other = root.resolve("other.zip");
    StoreConfig alone =
        StoreConfig.of("single", "n1", members.subList(0, 1), root.resolve("single"));
    StoreNode.restore(file, alone);
    try (StoreNode node = StoreNode.start(alone)) {
      get(node.backup(other), LIMIT);
    }
    StoreNode.restore(file, config("n1"));
    StoreNode.restore(file, config("n2"));
    StoreNode.restore(other, config("n3"));

    try (StoreCluster cluster = StoreCluster.start("new", root.resolve("new"), members)) {
      await("the members have seen who is different")
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                assertThat(cluster.node("n1").status().waitsFor()).get().asString().endsWith("n3");
                assertThat(cluster.node("n3").status().waitsFor())
                    .get()
                    .asString()
                    .contains("the same backup")
                    .endsWith("n1, n2");
              });
    }
  }

  /** It has forgotten what it has acknowledged since the first time. */
  @Test
  void aMemberThatIsRestoredTwiceIsAnother() throws Exception {
    members.forEach(member -> StoreNode.restore(file, config(member.id())));
    try (StoreCluster cluster = StoreCluster.start("new", root.resolve("new"), members)) {
      Client client = new Client(7);
      client.open(cluster.leader(), TTL);
      StoreNode leader = cluster.leader();
      String again = cluster.follower().node();
      cluster.stop(again);
      client.call(leader, acquire("new", TTL, 1));
      StoreCluster.delete(config(again).folder());
      StoreNode.restore(file, config(again));

      StoreNode node = cluster.start(again);

      await("it is no member")
          .atMost(LIMIT)
          .until(() -> node.status().waitsFor().orElse("").contains("members add " + again));
      get(leader.addMember(cluster.member(again)), LIMIT);
      assertThat(get(node.readAt(leader.status().appliedIndex()), LIMIT).all().leases()).hasSize(3);
    }
  }

  @Test
  void aBackupIsNotRestoredIntoTheClusterItCameFrom() {
    assertThatThrownBy(
            () ->
                StoreNode.restore(
                    file, StoreConfig.of("test", "n1", members, root.resolve("again"))))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("is a backup of cluster test")
        .hasMessageContaining("give the new cluster another name");
  }

  @Test
  void aFolderThatIsInUseIsNotRestoredInto() throws IOException {
    StoreNode.restore(file, config("n1"));
    assertThatThrownBy(() -> StoreNode.restore(file, config("n1")))
        .isInstanceOf(StoreStartException.class)
        .hasMessageContaining("is not empty");
  }

  @Test
  void aBackupIsNeverWrittenOver() throws Exception {
    byte[] before = Files.readAllBytes(file);
    try (StoreCluster old = StoreCluster.start(root.resolve("another"))) {
      old.leader();
      assertThatThrownBy(() -> get(old.leader().backup(file), LIMIT))
          .hasCauseInstanceOf(ProposeException.class)
          .hasMessageContaining("is there already");
    }
    assertThat(file).hasBinaryContent(before);
  }

  @Test
  void aBackupOfWhichABitIsWrongIsRefusedAndLeavesNoNode() throws IOException {
    Path undamaged = root.resolve("undamaged");
    StoreNode.restore(file, StoreConfig.of("new", "n1", members, undamaged));
    byte[] whole = Files.readAllBytes(file);
    int refused = 0;
    for (int at = 0; at < whole.length; at += 97) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 4;
      Path copy = Files.write(root.resolve("damaged.zip"), damaged);
      Path folder = root.resolve("damaged-" + at);
      try {
        StoreNode.restore(copy, StoreConfig.of("new", "n1", members, folder));
        assertThat(digest(folder)).isEqualTo(digest(undamaged));
      } catch (StoreStartException e) {
        refused++;
        assertThat(e).hasMessageNotContaining("null");
        assertThat(folder.resolve("node.properties")).doesNotExist();
        StoreNode.restore(file, StoreConfig.of("new", "n1", members, folder)); // it is empty again
      }
    }
    // What is not guarded is what nobody needs, such as the time of an entry.
    assertThat(refused).isGreaterThan(whole.length / 97 / 2);
  }

  private static TableDigest digest(Path folder) {
    try (RocksLeaseTable table = RocksLeaseTable.open(folder.resolve("table"));
        TableReader reader = table.reader()) {
      return reader.digest();
    }
  }
}
