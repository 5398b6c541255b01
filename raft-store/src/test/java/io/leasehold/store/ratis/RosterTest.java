package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.time.VirtualTime;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who the members are, by their names. */
final class RosterTest {

  private static final List<Member> LIST = Member.parseAll("n1=h:1,n2=h:2,n3=h:3");
  private static final String N1 = "n1@000011110000000000aa";
  private static final String N2 = "n2@000011110000000000bb";
  private static final String N3 = "n3@000011110000000000cc";
  private static final String NEW_N3 = "n3@000011110000000000dd";
  private static final String N4 = "n4@000011110000000000ee";

  private final VirtualTime time = new VirtualTime();
  private final Roster roster =
      new Roster(
          StoreConfig.of("c", "n1", LIST, Path.of("unused")),
          RaftPeerId.valueOf(N1),
          RosterTest::addressOf,
          member ->
              new MemberLink(
                  member,
                  new MemberChannels("n1", 1 << 20, Optional.empty()),
                  time,
                  Runnable::run));

  @AfterEach
  void close() {
    roster.close();
  }

  @Test
  void beforeThereIsAGroupItIsTheList() {
    assertThat(roster.members()).isEqualTo(LIST);
    assertThat(roster.others()).containsExactly("n2", "n3");
    assertThat(roster.isMember()).isFalse();
  }

  @Test
  void groupIsWhoeverIsInItWhereverThatIs() {
    roster.update(new Group(voters(N1, N2, N4), voters()), false);

    assertThat(roster.members()).isEqualTo(Member.parseAll("n1=h:1,n2=h:2,n4=g:9"));
    assertThat(roster.isMember()).isTrue();
    assertThat(roster.peer("n2")).isEqualTo(RaftPeerId.valueOf(N2));
    assertThat(roster.link("n3")).as("it is none any more").isEmpty();
  }

  @Test
  void linkToAMemberThatStaysStays() {
    MemberLink before = roster.link("n2").orElseThrow();

    roster.update(new Group(voters(N1, N2, N4), voters()), false);

    assertThat(roster.link("n2")).containsSame(before);
    assertThat(roster.link("n4").map(MemberLink::member)).contains(Member.parse("n4=g:9"));
  }

  @Test
  void whileOneTakesTheOthersPlaceTheNewOneIsMeant() {
    roster.update(new Group(voters(N1, N2, NEW_N3), voters(N1, N2, N3)), false);

    assertThat(roster.peer("n3")).isEqualTo(RaftPeerId.valueOf(NEW_N3));
    assertThat(roster.voters()).hasSize(3);
  }

  @Test
  void anotherFolderOfThisNodeIsNotThisNode() {
    roster.update(new Group(voters("n1@000011110000000000ff", N2, N3), voters()), false);

    assertThat(roster.isMember()).isFalse();
    assertThat(roster.peer("n1")).as("in requests to itself").isEqualTo(RaftPeerId.valueOf(N1));
  }

  @Test
  void whoOnlyListensUntilItIsAMemberIsNone() {
    Group group = new Group(List.of(peer(N2), peer(N3), listener(N1)), voters());

    roster.update(group, true);

    assertThat(roster.isMember()).isFalse();
    assertThat(roster.update(group, true)).as("it is the same").isFalse();
  }

  @Test
  void listenersAreMembersThatDoNotVote() {
    roster.update(new Group(List.of(peer(N1), peer(N2), listener(N3)), voters()), false);

    assertThat(roster.listeners()).containsExactly("n3");
    assertThat(roster.voters()).extracting(Member::id).containsExactly("n1", "n2");
    assertThat(roster.members()).hasSize(3);
  }

  /** What is known of the first three; who comes later is where the group has it. */
  private static String addressOf(RaftPeer peer) {
    int known = List.of(N1, N2, N3).indexOf(peer.getId().toString());
    return known < 0 ? peer.getAddress() : LIST.get(known).address();
  }

  private static List<RaftPeer> voters(String... ids) {
    return Arrays.stream(ids).map(RosterTest::peer).toList();
  }

  private static RaftPeer peer(String id) {
    return RaftPeer.newBuilder().setId(id).setAddress("g:9").build();
  }

  private static RaftPeer listener(String id) {
    return RaftPeer.newBuilder(peer(id)).setStartupRole(RaftPeerRole.LISTENER).build();
  }

  /** The members, and those before them while a change is under way. */
  private record Group(List<RaftPeer> now, List<RaftPeer> before) implements RaftConfiguration {

    @Override
    public @Nullable RaftPeer getPeer(RaftPeerId id, RaftPeerRole... roles) {
      Optional<RaftPeer> found =
          Stream.concat(now.stream(), before.stream())
              .filter(each -> each.getId().equals(id))
              .findFirst();
      return found.orElse(null);
    }

    @Override
    public Collection<RaftPeer> getAllPeers(RaftPeerRole role) {
      return Stream.of(getCurrentPeers(role), getPreviousPeers(role))
          .flatMap(Collection::stream)
          .toList();
    }

    @Override
    public Collection<RaftPeer> getCurrentPeers(RaftPeerRole role) {
      return now.stream().filter(each -> each.getStartupRole() == role).toList();
    }

    @Override
    public Collection<RaftPeer> getPreviousPeers(RaftPeerRole role) {
      return before.stream().filter(each -> each.getStartupRole() == role).toList();
    }

    @Override
    public long getLogEntryIndex() {
      return 7;
    }
  }
}
