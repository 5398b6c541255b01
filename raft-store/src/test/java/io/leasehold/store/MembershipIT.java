package io.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.store.StoreCluster.Client;
import io.leasehold.store.core.BatchReply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members that come, go, and come back with nothing. */
@Execution(ExecutionMode.CONCURRENT)
final class MembershipIT {

  private static final Duration TTL = Duration.ofMinutes(1);
  private static final Duration CHANGE_LIMIT = Duration.ofMinutes(1);

  @TempDir Path root;
  private StoreCluster cluster;
  private final Client client = new Client(1);
  private long heldAt;

  @BeforeEach
  void start() {
    cluster = StoreCluster.start(root);
    client.open(cluster.leader(), TTL);
    heldAt = client.call(cluster.leader(), StoreCluster.acquire("held", TTL, 1)).index();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static void awaitWaiting(StoreNode node, String why) {
    await(node.node() + " says that it waits")
        .atMost(StoreCluster.LIMIT)
        .untilAsserted(() -> assertThat(node.status().waitsFor()).get().asString().contains(why));
  }

  private void assertHeldOn(StoreNode node) throws Exception {
    assertThat(StoreCluster.get(node.readAt(heldAt), StoreCluster.LIMIT).find("held").leases())
        .hasSize(1);
  }

  private static void change(CompletionStage<Void> change) throws Exception {
    StoreCluster.get(change, CHANGE_LIMIT);
  }

  @Test
  void memberWithAWipedFolderServesNothingUntilItIsAdded() throws Exception {
    StoreNode leader = cluster.leader();
    String id = cluster.follower().node();
    cluster.stop(id);
    StoreCluster.delete(cluster.folder(id));

    StoreNode wiped = cluster.start(id);

    awaitWaiting(wiped, "members add " + id);
    assertThatThrownBy(() -> StoreCluster.get(wiped.propose(client.batch(), 1), StoreCluster.LIMIT))
        .cause()
        .isInstanceOf(ProposeException.class)
        .hasMessageContaining("members add " + id);

    change(leader.addMember(cluster.member(id)));

    assertHeldOn(wiped);
    await("it has seen that itself")
        .atMost(StoreCluster.LIMIT)
        .until(() -> wiped.status().waitsFor().isEmpty());
  }

  @Test
  void memberWithAWipedFolderMayBeRestartedWhileItWaits() throws Exception {
    StoreNode leader = cluster.leader();
    String id = cluster.follower().node();
    cluster.stop(id);
    StoreCluster.delete(cluster.folder(id));
    awaitWaiting(cluster.start(id), "members add " + id);
    cluster.stop(id);

    StoreNode again = cluster.start(id);

    awaitWaiting(again, "members add " + id);
    assertThat(again.status().members()).extracting(Member::id).contains(id).hasSize(3);
    change(leader.addMember(cluster.member(id)));
    assertHeldOn(again);
  }

  /** Its process was killed after the log had it as a member, and before its folder said so. */
  @Test
  void memberThatOnlyItsLogNamesIsOne() throws Exception {
    StoreNode leader = cluster.leader();
    String id = cluster.follower().node();
    cluster.stop(id);
    StoreCluster.delete(cluster.folder(id));
    awaitWaiting(cluster.start(id), "members add " + id);
    Path identity = cluster.folder(id).resolve("node.properties");
    String beforehand = Files.readString(identity);
    change(leader.addMember(cluster.member(id)));
    assertHeldOn(cluster.node(id));
    cluster.stop(id);
    Files.writeString(identity, beforehand);

    StoreNode again = cluster.start(id);

    assertHeldOn(again);
    assertThat(again.status().waitsFor()).isEmpty();
    assertThat(StoreCluster.propose(again, client.batch()).status())
        .isEqualTo(BatchReply.Status.APPLIED);
  }

  @Test
  void addressOfAMemberIsNotChangedByAddingIt() throws Exception {
    Member member = cluster.member(cluster.follower().node());

    assertThatThrownBy(
            () ->
                change(
                    cluster
                        .leader()
                        .addMember(new Member(member.id(), "localhost", member.port()))))
        .cause()
        .hasMessageContaining(member.id() + " is a member already, at " + member.address());
  }

  /** It would be listed as one that votes, and then hear that it was taken out. */
  @Test
  void folderOfAMemberThatWasTakenOutIsNotTakenInAgain() throws Exception {
    StoreNode leader = cluster.leader();
    String id = cluster.follower().node();
    cluster.stop(id);
    change(leader.removeMember(id));

    cluster.start(id);

    assertThatThrownBy(() -> change(leader.addMember(cluster.member(id))))
        .cause()
        .isInstanceOf(ProposeException.class)
        .hasMessageContaining(id + " was taken out of this cluster")
        .hasMessageContaining("empty its folder");
    assertThat(leader.status().members()).hasSize(2);
  }

  /** It has forgotten what it has acknowledged together with the one that is away. */
  @Test
  void wipedMemberAndOneThatIsBehindDecideNothing() throws Exception {
    String behind = cluster.follower().node();
    cluster.stop(behind);
    client.call(cluster.leader(), StoreCluster.acquire("later", TTL, 2));
    String wiped = cluster.follower().node();
    String away = cluster.leader().node();
    cluster.stopAll();
    StoreCluster.delete(cluster.folder(wiped));

    StoreNode late = cluster.start(behind);
    StoreNode empty = cluster.start(wiped);

    awaitWaiting(empty, "members add " + wiped);
    assertThat(late.status().leader()).isEmpty();
    cluster.start(away);
    await("the two that have not forgotten elect one")
        .atMost(StoreCluster.LIMIT)
        .until(() -> late.status().leader().isPresent());
    await("the lease granted without it is there")
        .atMost(StoreCluster.LIMIT)
        .untilAsserted(
            () ->
                assertThat(
                        StoreCluster.get(
                                late.readAt(late.status().appliedIndex()), StoreCluster.LIMIT)
                            .all()
                            .leases())
                    .extracting(each -> each.lease().name())
                    .containsExactly("held", "later"));
  }

  /** Though it has the address of the one that it was, and is sent what that one is to have. */
  @Test
  void wipedMemberDoesNotAcknowledgeForTheOneThatItWas() throws Exception {
    String away = cluster.follower().node();
    cluster.stop(away);
    String wiped = cluster.follower().node();
    StoreNode leader = cluster.leader();
    cluster.stop(wiped);
    StoreCluster.delete(cluster.folder(wiped));

    awaitWaiting(cluster.start(wiped), "members add " + wiped);

    assertThatThrownBy(
            () ->
                StoreCluster.get(
                    leader.propose(client.batch(StoreCluster.acquire("free", TTL, 9)), 0),
                    Duration.ofSeconds(3)))
        .isInstanceOfAny(ExecutionException.class, TimeoutException.class);
    await("the leader hears of no majority")
        .atMost(StoreCluster.LIMIT)
        .until(() -> leader.status().role() != StoreStatus.Role.LEADER);
  }

  /** The others were started with a list that has it elsewhere, and are so again. */
  @Test
  void memberThatComesBackAtAnotherAddressIsFoundThereThoughListsAreOld() throws Exception {
    String id = cluster.follower().node();
    cluster.stop(id);
    StoreCluster.delete(cluster.folder(id));
    Member moved = new Member(id, "127.0.0.1", StoreCluster.freeMembers().get(0).port());
    List<Member> list =
        cluster.members().stream().map(each -> each.id().equals(id) ? moved : each).toList();
    try (StoreNode elsewhere =
        StoreNode.start(StoreConfig.of("test", id, list, cluster.folder(id)))) {
      change(cluster.leader().addMember(moved));

      List<String> others = cluster.nodes().stream().map(StoreNode::node).toList();
      for (String other : others) {
        cluster.stop(other);
        StoreNode again = cluster.start(other);
        await("it knows, or hears from those that decided it")
            .atMost(StoreCluster.LIMIT)
            .untilAsserted(() -> assertThat(again.status().members()).contains(moved));
      }
      cluster.stop(others.get(0));

      await("it is needed for a majority, and found")
          .atMost(StoreCluster.LIMIT)
          .until(
              () ->
                  elsewhere.status().leader().filter(others.get(1)::equals).isPresent()
                      || elsewhere.status().role() == StoreStatus.Role.LEADER);
      client.call(elsewhere, StoreCluster.acquire("later", TTL, 2));
    }
  }

  @Test
  void memberThatRunsIsNotReplaced() throws Exception {
    StoreNode present = cluster.follower();
    String id = present.node();
    Member second = new Member(id, "127.0.0.1", StoreCluster.freeMembers().get(0).port());
    List<Member> list =
        cluster.members().stream().map(each -> each.id().equals(id) ? second : each).toList();
    try (StoreNode twin = StoreNode.start(StoreConfig.of("test", id, list, root.resolve("twin")))) {
      awaitWaiting(twin, "members add " + id);

      assertThatThrownBy(() -> change(cluster.leader().addMember(second)))
          .cause()
          .isInstanceOf(ProposeException.class)
          .hasMessageContaining(id + " is a member and runs at " + cluster.member(id).address());
    }
    assertHeldOn(present);
  }

  @Test
  void threeBecomeFiveAndThreeAgain() throws Exception {
    List<Member> five = new ArrayList<>(cluster.members());
    for (Member free : StoreCluster.freeMembers().subList(0, 2)) {
      five.add(new Member("n" + (five.size() + 1), free.host(), free.port()));
    }
    List<StoreNode> more = new ArrayList<>();
    try {
      for (Member member : five.subList(3, 5)) {
        StoreNode node =
            StoreNode.start(StoreConfig.of("test", member.id(), five, root.resolve(member.id())));
        more.add(node);
        change(cluster.follower().addMember(member));
        assertHeldOn(node);
      }
      await("all have heard of all")
          .atMost(StoreCluster.LIMIT)
          .until(
              () ->
                  cluster.nodes().stream().allMatch(each -> each.status().members().equals(five)));

      for (String leaves : List.of("n1", "n2")) {
        change(more.get(0).removeMember(leaves));
        StoreNode gone = cluster.node(leaves);
        await(leaves + " says that it is no member any more")
            .atMost(StoreCluster.LIMIT)
            .until(() -> gone.status().failure().orElse("").contains("not a member"));
        cluster.stop(leaves);
      }

      assertHeldOn(more.get(1));
      BatchReply reply = StoreCluster.propose(more.get(1), client.batch());
      assertThat(reply.status()).isEqualTo(BatchReply.Status.APPLIED);
      assertThat(more.get(0).status().members()).isEqualTo(five.subList(2, 5));
    } finally {
      more.forEach(StoreNode::close);
    }
  }

  @Test
  void oneBecomesTwoAndOneAgain(@TempDir Path apart) throws Exception {
    List<Member> three = StoreCluster.freeMembers();
    StoreConfig alone = StoreConfig.of("single", "n1", three.subList(0, 1), apart.resolve("n1"));
    try (StoreNode first = StoreNode.start(alone)) {
      Client own = new Client(2);
      own.open(first, TTL);
      own.call(first, StoreCluster.acquire("held", TTL, 1));
      for (String id : List.of("n2", "n3")) {
        StoreConfig config = StoreConfig.of("single", id, three, apart.resolve(id));
        try (StoreNode joining = StoreNode.start(config)) {
          change(first.addMember(config.self()));
          assertThat(
                  StoreCluster.get(
                          joining.readAt(first.status().appliedIndex()), StoreCluster.LIMIT)
                      .all()
                      .leases())
              .hasSize(1);
          change(first.removeMember(id));
        }
        assertThat(own.call(first).status()).isEqualTo(BatchReply.Status.APPLIED);
      }
    }
  }

  /** As a fourth node, which the others do not know of yet. */
  private StoreConfig listener() {
    Member free = StoreCluster.freeMembers().get(0);
    List<Member> four = new ArrayList<>(cluster.members());
    four.add(new Member("n4", free.host(), free.port()));
    return StoreConfig.of("test", "n4", four, root.resolve("n4")).asListener();
  }

  @Test
  void listenerServesUntilItIsTakenOut() throws Exception {
    StoreConfig fourth = listener();
    try (StoreNode listener = StoreNode.start(fourth)) {
      change(cluster.follower().addMember(fourth.self()));
      assertHeldOn(listener);
      assertThat(listener.status().role()).isEqualTo(StoreStatus.Role.LISTENER);
      await("the others have heard of it")
          .atMost(StoreCluster.LIMIT)
          .until(() -> cluster.leader().status().listeners().equals(List.of("n4")));
      assertThat(StoreCluster.propose(listener, client.batch()).status())
          .isEqualTo(BatchReply.Status.APPLIED);

      change(cluster.leader().removeMember("n4"));
      await("it hears that it was taken out")
          .atMost(CHANGE_LIMIT)
          .until(() -> listener.status().failure().orElse("").contains("not a member"));
    }
  }

  @Test
  void listenerIsNoneOfAMajority() throws Exception {
    StoreConfig fourth = listener();
    try (StoreNode listener = StoreNode.start(fourth)) {
      change(cluster.follower().addMember(fourth.self()));
      cluster.stop(cluster.follower().node());
      cluster.stop(cluster.follower().node());
      await("one of three voters leads nobody")
          .atMost(StoreCluster.LIMIT)
          .until(() -> cluster.nodes().get(0).status().leader().isEmpty());
      assertThat(listener.status().role()).isEqualTo(StoreStatus.Role.LISTENER);
    }
  }

  @Test
  void changesThatCannotEndWellAreRefused() throws Exception {
    Member nobody = StoreCluster.freeMembers().get(0);

    assertThatThrownBy(
            () -> change(cluster.leader().addMember(new Member("n9", "127.0.0.1", nobody.port()))))
        .cause()
        .hasMessageContaining("n9 does not answer at");
    assertThatThrownBy(() -> cluster.leader().removeMember("n9"))
        .isInstanceOf(InvalidLeaseArgumentException.class);
    Member first = cluster.members().get(0);
    assertThatThrownBy(
            () -> change(cluster.leader().addMember(new Member("n9", first.host(), first.port()))))
        .cause()
        .hasMessageContaining("answers a node n1, not n9");

    cluster.stop(cluster.follower().node());
    String other = cluster.follower().node();
    assertThatThrownBy(() -> change(cluster.leader().removeMember(other)))
        .cause()
        .hasMessageContaining("no majority");
    assertThat(client.call(cluster.leader()).status()).isEqualTo(BatchReply.Status.APPLIED);
  }
}
