package io.leasehold.store.ratis;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.ratis.Founding.Enter;
import io.leasehold.store.ratis.Founding.Step;
import io.leasehold.store.ratis.Founding.Wait;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which nodes become a group, and which do not. */
final class FoundingTest {

  private static final List<Member> MEMBERS = Member.parseAll("n1=h:1,n2=h:2,n3=h:3");

  private final Random random = new Random(1);

  private RaftPeerId peer(String name) {
    return peer("shop", name, MEMBERS, "");
  }

  private RaftPeerId peer(String cluster, String name, List<Member> members, String backup) {
    StoreConfig config = StoreConfig.of(cluster, name, members, Path.of("unused"));
    return PeerIdentity.create(config, backup, new UUID(0, random.nextLong())).peer();
  }

  private static Map<String, Introduction> answers(Introduction... answers) {
    return Arrays.stream(answers)
        .collect(toMap(answer -> PeerIdentity.nameOf(answer.peer()), answer -> answer));
  }

  private static Introduction groupless(RaftPeerId peer) {
    return new Introduction(peer, 1, false, -1, Optional.empty());
  }

  private static RaftGroup group(Step step) {
    return ((Enter) step).group();
  }

  private static String why(Step step) {
    return ((Wait) step).why();
  }

  @Test
  void oneAloneIsAGroup() {
    List<Member> alone = MEMBERS.subList(0, 1);
    RaftPeerId self = peer("shop", "n1", alone, "");

    Step step = Founding.next(self, alone, Map.of());

    assertThat(group(step).getPeers()).extracting(each -> each.getId()).containsExactly(self);
  }

  @Test
  void allThatAreThereFoundTheSameGroupWhoeverIsFirst() {
    RaftPeerId n1 = peer("n1");
    RaftPeerId n2 = peer("n2");
    RaftPeerId n3 = peer("n3");

    Step first = Founding.next(n1, MEMBERS, answers(groupless(n2), groupless(n3)));
    Step second = Founding.next(n2, MEMBERS, answers(groupless(n1), groupless(n3)));
    Step third =
        Founding.next(
            n3,
            MEMBERS,
            answers(groupless(n1), new Introduction(n2, 1, false, 7, Optional.of(group(second)))));

    assertThat(first)
        .isInstanceOfSatisfying(Enter.class, step -> assertThat(step.founds()).isTrue());
    assertThat(group(second).getGroupId()).isEqualTo(group(first).getGroupId());
    assertThat(third).isEqualTo(new Enter(group(second), true));
    assertThat(group(first).getPeer(n2).getAddress()).isEqualTo("h:2");
  }

  @Test
  void nobodyBeginsBeforeEverybodyWasThere() {
    Step step = Founding.next(peer("n1"), MEMBERS, answers(groupless(peer("n3"))));

    assertThat(why(step)).contains("not there yet: n2 (h:2)").doesNotContain("n3");
  }

  /** A folder that was lost has forgotten its votes. */
  @Test
  void anotherFolderOfAMemberIsInTheGroupWithoutAVote() {
    RaftPeerId n2 = peer("n2");
    RaftPeerId n3 = peer("n3");
    RaftGroup group =
        group(Founding.next(peer("n1"), MEMBERS, answers(groupless(n2), groupless(n3))));

    Step step =
        Founding.next(
            peer("n1"),
            MEMBERS,
            answers(new Introduction(n2, 1, false, 7, Optional.of(group)), groupless(n3)));

    assertThat(step).isEqualTo(new Enter(group, false));
  }

  @Test
  void folderOfBeforeIsAMemberByItsName() {
    Map<String, Introduction> answers =
        answers(groupless(RaftPeerId.valueOf("n2")), groupless(peer("n3")));

    assertThat(why(Founding.next(peer("n1"), MEMBERS, answers))).contains("n2");
  }

  @Test
  void nodesOfOtherClustersAreNoMembers() {
    RaftPeerId foreign = peer("mill", "n2", MEMBERS, "");

    Step step =
        Founding.next(peer("n1"), MEMBERS, answers(groupless(foreign), groupless(peer("n3"))));

    assertThat(why(step)).contains("n2", "h:2", "another cluster");
  }

  @Test
  void memberAtAnothersAddressIsNotTakenForIt() {
    Map<String, Introduction> swapped =
        Map.of("n2", groupless(peer("n3")), "n3", groupless(peer("n2")));

    assertThat(why(Founding.next(peer("n1"), MEMBERS, swapped)))
        .contains("at the address of n2, h:2, answers a node n3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"n1=h:1,n2=h:2,n3=h:3,n4=h:4", "n2=h:2,n3=h:3"})
  void membersWithAnotherListDoNotBeginTogether(String list) {
    RaftPeerId other = peer("shop", "n2", Member.parseAll(list), "");

    Step step =
        Founding.next(peer("n1"), MEMBERS, answers(groupless(other), groupless(peer("n3"))));

    assertThat(why(step)).contains("same list of members").endsWith("were n2");
  }

  @Test
  void membersWithAnotherBackupDoNotBeginTogether() {
    RaftPeerId other = peer("shop", "n3", MEMBERS, "b");

    Step step =
        Founding.next(peer("n1"), MEMBERS, answers(groupless(peer("n2")), groupless(other)));

    assertThat(why(step)).contains("same backup").endsWith("were n3");
  }

  @Test
  void listenersAreAddedLater() {
    Introduction listener = new Introduction(peer("n3"), 1, true, -1, Optional.empty());

    Step step = Founding.next(peer("n1"), MEMBERS, answers(groupless(peer("n2")), listener));

    assertThat(why(step)).contains("begins without listeners", "without n3");
  }

  @Test
  void twoGroupsOfOneNameAreLeftToTheOperator() {
    RaftPeerId n2 = peer("n2");
    RaftPeerId n3 = peer("n3");
    RaftGroup one =
        group(Founding.next(peer("n1"), MEMBERS, answers(groupless(n2), groupless(peer("n3")))));
    RaftGroup other =
        group(Founding.next(peer("n1"), MEMBERS, answers(groupless(peer("n2")), groupless(n3))));

    Step step =
        Founding.next(
            peer("n1"),
            MEMBERS,
            answers(
                new Introduction(n2, 1, false, 7, Optional.of(one)),
                new Introduction(n3, 1, false, 7, Optional.of(other))));

    assertThat(why(step)).contains("different clusters");
  }

  /**
   * However folders are lost, answers are old and members are away: a folder is in one group, and
   * the folders that vote in any group are never enough for two.
   */
  @Test
  void noTwoGroupsEverHaveAMajority() {
    for (int seed = 0; seed < 2_000; seed++) {
      Random chance = new Random(seed);
      List<Node> nodes = MEMBERS.stream().map(member -> new Node(member.id())).toList();
      for (int step = 0; step < 40; step++) {
        nodes.get(chance.nextInt(3)).act(chance, nodes.get(chance.nextInt(3)));

        assertThat(deciding(nodes)).as("seed %s, step %s", seed, step).hasSizeLessThan(2);
      }
    }
  }

  /** The groups of which a majority is there. */
  private static List<RaftGroup> deciding(List<Node> nodes) {
    return nodes.stream()
        .flatMap(node -> node.self.group().stream())
        .distinct()
        .filter(group -> nodes.stream().filter(node -> node.votesIn(group)).count() >= 2)
        .toList();
  }

  /** A node, and what it has heard of the others. */
  private final class Node {

    private final String name;
    private final Map<String, Introduction> heard = new HashMap<>();
    private Introduction self;

    Node(String name) {
      this.name = name;
      this.self = groupless(peer(name));
    }

    boolean votesIn(RaftGroup group) {
      return self.group().filter(group::equals).isPresent() && group.getPeer(self.peer()) != null;
    }

    void act(Random chance, Node other) {
      int what = chance.nextInt(80);
      if (what < 3) {
        self = groupless(peer(name));
        heard.clear();
      } else if (what < 10) {
        heard.clear();
      } else if (what < 40) {
        if (other != this) {
          heard.put(other.name, other.self);
        }
      } else if (self.group().isEmpty()
          && Founding.next(self.peer(), MEMBERS, heard) instanceof Enter enter) {
        self = new Introduction(self.peer(), 1, false, 7, Optional.of(enter.group()));
      }
    }
  }
}
