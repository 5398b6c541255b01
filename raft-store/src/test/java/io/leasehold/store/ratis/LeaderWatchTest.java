package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.Member;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who stands for election, and when, after the leader's process has ended. */
final class LeaderWatchTest {

  private static final List<Member> MEMBERS =
      Member.parseAll("n1=127.0.0.1:1,n2=127.0.0.1:2,n3=127.0.0.1:3");
  private static final String LEADER = "n3";

  private final VirtualTime time = new VirtualTime();
  private final Cluster cluster = new Cluster();

  @Test
  void theFirstFollowerStandsAtOnce() {
    LeaderWatch first = watching("n1");

    cluster.leaderEnds();

    assertThat(cluster.stood).containsExactly(LEADER);
    first.leaderChanged(Optional.empty());
  }

  @Test
  void theSecondWaitsForItsTurn() {
    LeaderWatch unused = watching("n2");

    cluster.leaderEnds();
    pass(LeaderWatch.TURN.minusMillis(1));
    assertThat(cluster.stood).isEmpty();
    pass(Duration.ofMillis(1));

    assertThat(cluster.stood).containsExactly(LEADER);
  }

  @Test
  void nobodyStandsAfterAnotherHasWon() {
    LeaderWatch second = watching("n2");
    cluster.leaderEnds();
    cluster.leader = Optional.of("n1");
    second.leaderChanged(Optional.of("n1"));
    pass(LeaderWatch.PAUSE);

    assertThat(cluster.stood).isEmpty();
  }

  @Test
  void nobodyStandsWhileAnotherElectionIsUnderWay() {
    LeaderWatch unused = watching("n2");
    cluster.leaderEnds();
    cluster.term++;
    pass(LeaderWatch.PAUSE);

    assertThat(cluster.stood).isEmpty();
  }

  @Test
  void whoWouldLoseLeavesItToAnother() {
    LeaderWatch unused = watching("n1");
    cluster.losing = true;
    cluster.leaderEnds();
    pass(LeaderWatch.PAUSE);

    assertThat(cluster.stood).isEmpty();
  }

  @Test
  void whoWouldLoseAsksOnceMoreWhenNobodyElseHasStood() {
    LeaderWatch unused = watching("n1");
    cluster.losing = true;
    cluster.leaderEnds();
    cluster.losing = false;
    pass(LeaderWatch.TURN.multipliedBy(2).minusMillis(1));
    assertThat(cluster.stood).isEmpty();
    pass(Duration.ofMillis(1));

    assertThat(cluster.stood).containsExactly(LEADER);
  }

  @Test
  void whoHasNotStoodIsReadyForTheNextLeadersEnd() {
    LeaderWatch first = watching("n1");
    cluster.losing = true;
    cluster.leaderEnds();
    cluster.leader = Optional.of("n2");
    first.leaderChanged(Optional.of("n2"));
    cluster.losing = false;
    cluster.leaderEnds();

    assertThat(cluster.stood).containsExactly("n2");
  }

  @Test
  void anAnswerThatComesAfterAnotherHasWonIsTooLate() {
    LeaderWatch unused = watching("n1");
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    cluster.answer = Optional.of(answer);
    cluster.leaderEnds();
    cluster.term++;
    answer.complete(false);
    pass(LeaderWatch.PAUSE);

    assertThat(cluster.stood).isEmpty();
  }

  @Test
  void theLeaderThatHasEndedIsNotAsked() {
    LeaderWatch unused = watching("n1");
    cluster.leaderEnds();

    assertThat(cluster.asked).containsExactly("n2");
  }

  @Test
  void whoHasMuchToApplyStandsLast() {
    LeaderWatch unused = watching("n1");
    cluster.entriesToApply = LeaderWatch.ENTRIES_BEHIND_MAX + 1;
    cluster.leaderEnds();
    pass(LeaderWatch.TURN.multipliedBy(2).minusMillis(1));
    assertThat(cluster.stood).isEmpty();
    pass(Duration.ofMillis(1));

    assertThat(cluster.stood).containsExactly(LEADER);
  }

  @Test
  void whoHasCaughtUpByItsTurnStandsThen() {
    LeaderWatch unused = watching("n2");
    cluster.entriesToApply = LeaderWatch.ENTRIES_BEHIND_MAX + 1;
    cluster.leaderEnds();
    cluster.entriesToApply = LeaderWatch.ENTRIES_BEHIND_MAX;
    pass(LeaderWatch.TURN);

    assertThat(cluster.stood).containsExactly(LEADER);
  }

  @Test
  void aConnectionThatBreaksIsNoReasonWhileTheLeaderListens() {
    LeaderWatch unused = watching("n1");
    cluster.connectionBreaks();
    pass(LeaderWatch.PAUSE);

    assertThat(cluster.stood).isEmpty();
  }

  @Test
  void aPortThatClosesAMomentAfterTheConnectionIsSeen() {
    LeaderWatch unused = watching("n1");
    cluster.connectionBreaks();
    cluster.refusing = true;
    pass(LeaderWatch.SOON);

    assertThat(cluster.stood).containsExactly(LEADER);
  }

  @Test
  void aLeaderIsLookedAtUntilItIsConnectedToAgain() {
    LeaderWatch unused = watching("n1");
    cluster.connectionBreaks();
    pass(Duration.ofSeconds(5));
    cluster.refusing = true;
    pass(LeaderWatch.AGAIN);

    assertThat(cluster.stood).containsExactly(LEADER);
  }

  @Test
  void aLeaderThatIsConnectedToAgainIsWatchedAsBefore() {
    LeaderWatch unused = watching("n1");
    cluster.connectionBreaks();
    cluster.connected = true;
    pass(LeaderWatch.AGAIN);
    int looks = cluster.looks;
    pass(LeaderWatch.PAUSE);
    assertThat(cluster.looks).isEqualTo(looks);

    cluster.leaderEnds();
    assertThat(cluster.stood).containsExactly(LEADER);
  }

  @Test
  void aFormerLeaderIsNotLookedAt() {
    LeaderWatch first = watching("n1");
    cluster.connectionBreaks();
    first.leaderChanged(Optional.empty());
    int looks = cluster.looks;
    pass(LeaderWatch.PAUSE);

    assertThat(cluster.looks).isEqualTo(looks);
  }

  @Test
  void nodesThatCannotReachEachOtherDoNotStandMoreThanOnceInTenSeconds() {
    LeaderWatch unused = watching("n1");
    cluster.leaderEnds();
    assertThat(cluster.stood).hasSize(1);

    cluster.leaderEnds(); // it is still followed, as the election was lost to nobody
    pass(LeaderWatch.PAUSE.minusMillis(1));
    assertThat(cluster.stood).hasSize(1);

    pass(LeaderWatch.AGAIN);
    assertThat(cluster.stood).hasSize(2);
  }

  @Test
  void aLeaderDoesNotWatchItself() {
    LeaderWatch leader = new LeaderWatch(LEADER, () -> MEMBERS, cluster, cluster, time, time);
    leader.leaderChanged(Optional.of(LEADER));

    assertThat(cluster.onBroken).isEmpty();
  }

  private LeaderWatch watching(String node) {
    LeaderWatch watch = new LeaderWatch(node, () -> MEMBERS, cluster, cluster, time, time);
    watch.leaderChanged(Optional.of(LEADER));
    return watch;
  }

  private void pass(Duration duration) {
    time.advance(duration);
  }

  /** This node's server and the network, as the test says they are. */
  private final class Cluster implements LeaderWatch.Server, LeaderWatch.Network {
    private Optional<String> leader = Optional.of(LEADER);
    private long term = 5;
    private long entriesToApply;
    private boolean refusing;
    private boolean connected = true;
    private boolean losing;
    private Optional<CompletableFuture<Boolean>> answer = Optional.empty();
    private List<String> asked = List.of();
    private int looks;
    private final List<String> stood = new ArrayList<>();
    private Optional<Runnable> onBroken = Optional.empty();

    void leaderEnds() {
      refusing = true;
      connectionBreaks();
    }

    void connectionBreaks() {
      connected = false;
      Optional<Runnable> task = onBroken;
      onBroken = Optional.empty();
      task.ifPresent(Runnable::run);
      pass(Duration.ZERO);
    }

    @Override
    public long term() {
      return term;
    }

    @Override
    public Optional<String> leader() {
      return leader;
    }

    @Override
    public long entriesToApply() {
      return entriesToApply;
    }

    @Override
    public CompletableFuture<Boolean> wouldLose(List<String> others) {
      asked = others;
      return answer.orElseGet(() -> CompletableFuture.completedFuture(losing));
    }

    @Override
    public void stand(String goneLeader) {
      stood.add(goneLeader);
    }

    @Override
    public void onBroken(Member member, Runnable task) {
      onBroken = Optional.of(task);
    }

    @Override
    public boolean isConnected(Member member) {
      return connected;
    }

    @Override
    public CompletableFuture<Boolean> refuses(Member member) {
      looks++;
      return CompletableFuture.completedFuture(refusing);
    }
  }
}
