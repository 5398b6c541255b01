package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.junit.jupiter.api.Test;

/** What a member says of the others. */
final class MemberWatchTest {

  private static final RaftGroupId GROUP = RaftGroupId.valueOf(new UUID(1, 1));
  private static final Duration QUESTIONS = Duration.ofSeconds(5);

  private final VirtualTime time = new VirtualTime();
  private final MemberWatch watch = new MemberWatch(time, RaftPeerId::valueOf);

  private static Introduction introduction(String peer, Optional<RaftGroupId> group) {
    return new Introduction(
        RaftPeerId.valueOf(peer), 1, false, 1, group.map(id -> RaftGroup.valueOf(id, List.of())));
  }

  private void answers(String member) {
    watch.answered(member, introduction(member, Optional.of(GROUP)), GROUP);
  }

  private static Optional<Lead> lead(Duration lasts, Lead.Follower... followers) {
    return Optional.of(new Lead(lasts, List.of(followers)));
  }

  @Test
  void saysNothingOfThoseThatAnswer() {
    for (int i = 0; i < 10; i++) {
      watch.asked(List.of("n2", "n3"));
      answers("n2");
      answers("n3");
      time.advance(QUESTIONS);
    }

    assertThat(watch.warnings(Optional.empty(), 0)).isEmpty();
  }

  @Test
  void saysForHowLongAMemberHasBeenSilent() {
    watch.asked(List.of("n2", "n3"));
    answers("n2");
    answers("n3");
    time.advance(MemberWatch.SILENCE_MAX.minusMillis(1));
    assertThat(watch.warnings(Optional.empty(), 0)).isEmpty();
    answers("n2");
    time.advance(Duration.ofMillis(1));

    assertThat(watch.warnings(Optional.empty(), 0))
        .containsOnlyKeys("n3")
        .containsEntry("n3", "has not answered for 11 s: see that it runs and can be reached");
  }

  @Test
  void saysSoAlsoOfOneThatHasNeverAnswered() {
    watch.asked(List.of("n2"));
    time.advance(MemberWatch.SILENCE_MAX);
    watch.asked(List.of("n2"));

    assertThat(watch.warnings(Optional.empty(), 0)).containsOnlyKeys("n2");
  }

  @Test
  void forgetsWhoIsNoMemberAnyMore() {
    watch.asked(List.of("n2", "n3"));
    time.advance(MemberWatch.SILENCE_MAX);
    watch.asked(List.of("n2"));
    answers("n3"); // late

    assertThat(watch.warnings(Optional.empty(), 0)).containsOnlyKeys("n2");
  }

  @Test
  void saysWhoWaitsOrIsAnotherThanTheMember() {
    watch.asked(List.of("n2", "n3", "n4"));
    watch.answered("n2", introduction("n2", Optional.empty()), GROUP);
    watch.answered("n3", introduction("n3-anew", Optional.empty()), GROUP);
    RaftGroupId other = RaftGroupId.valueOf(new UUID(2, 2));
    watch.answered("n4", introduction("n4", Optional.of(other)), GROUP);

    assertThat(watch.warnings(Optional.empty(), 0).values())
        .satisfiesExactly(
            n2 -> assertThat(n2).startsWith("is not in the cluster yet"),
            n3 -> assertThat(n3).startsWith("waits, with a folder that is not this member's"),
            n4 -> assertThat(n4).startsWith("belongs to another cluster"));
  }

  @Test
  void leaderSaysWhoIsFarBehind() {
    watch.asked(List.of("n2", "n3"));
    long last = MemberWatch.ENTRIES_BEHIND_MAX + 100;
    Lead.Follower near = new Lead.Follower("n2", true, Duration.ZERO, 100);
    Lead.Follower far = new Lead.Follower("n3", true, Duration.ZERO, 99);

    assertThat(watch.warnings(lead(Duration.ofSeconds(5), near, far), last))
        .containsOnlyKeys("n3")
        .hasEntrySatisfying("n3", n3 -> assertThat(n3).startsWith("is 10001 log entries behind"));
  }

  /** Of whoever has not answered it yet it knows nothing. */
  @Test
  void newLeaderDoesNotSayHowFarOthersAre() {
    watch.asked(List.of("n2"));
    Lead.Follower unknown = new Lead.Follower("n2", true, Duration.ZERO, -1);

    assertThat(watch.warnings(lead(Duration.ofSeconds(4), unknown), 1_000_000)).isEmpty();
  }
}
