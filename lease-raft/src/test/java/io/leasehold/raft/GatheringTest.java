package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.raft.ManualStore.Proposal;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Callers that were answered together go together again, and nobody waits for nobody. */
final class GatheringTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final VirtualTime time = new VirtualTime();
  private final Gathering gathering = new Gathering(time);

  @Test
  void nobodyIsWaitedForAtFirst() {
    assertThat(gathering.isComplete(1)).isTrue();
  }

  @Test
  void nobodyIsWaitedForAfterALoneCall() {
    landed(1, 0);

    assertThat(gathering.isComplete(1)).isTrue();
  }

  @Test
  void callsThatHaveComeWhileOneWasInFlightGoAtOnce() {
    landed(1, 2);

    assertThat(gathering.isComplete(2)).isTrue();
  }

  @Test
  void callersThatWereAnsweredOneAfterTheOtherAreNotWaitedFor() {
    gathering.callerAnswered();
    time.advance(Stage.A_MOMENT);
    landed(1, 0);
    assertThat(gathering.isComplete(1)).isTrue();

    gathering.callerAnswered();
    gathering.callerAnswered();
    time.advance(Stage.A_MOMENT);
    landed(0, 0);
    assertThat(gathering.isComplete(1)).isTrue();
  }

  @Test
  void asManyAreWaitedForAsWereAnsweredOrHaveComeMeanwhile() {
    landed(2, 1);

    assertThat(gathering.isComplete(2)).isFalse();
    assertThat(gathering.isComplete(3)).isTrue();
  }

  @Test
  void aPauseInWhichNoneComesEndsTheWait() {
    landed(4, 0);

    assertThat(gathering.isCompleteAfterPause(2)).isFalse();
    assertThat(gathering.isCompleteAfterPause(3)).isFalse();
    assertThat(gathering.isCompleteAfterPause(3)).isTrue();
  }

  @Test
  void nobodyIsWaitedForLongHoweverMayCome() {
    landed(4, 0);
    time.advance(Stage.A_MOMENT);

    assertThat(gathering.isComplete(1)).isTrue();
    assertThat(gathering.isCompleteAfterPause(2)).isTrue();
  }

  @Test
  void callerWhoHasLetGoIsWaitedForWithTheOneWhoHasItNow() {
    Stage stage = new Stage();
    Lease first = stage.held();
    Lease second = stage.lease("b");
    CompletionStage<Boolean> handedOver = second.acquire(HOUR);
    stage.settle();
    stage.store.holdBack();
    CompletionStage<Void> released = first.release();
    stage.store.next().applyAndAnswer();
    stage.result(released);
    assertThat(stage.result(handedOver)).isTrue();

    CompletionStage<Boolean> again = first.acquire(HOUR);
    assertThat(stage.store.arrived()).isEmpty();
    CompletionStage<Void> passedOn = second.release();

    assertThat(stage.store.next().commands()).hasSize(2);
    assertThat(again).isNotNull();
    assertThat(passedOn).isNotNull();
  }

  @Test
  void callersThatReturnOneByOneShareABatch() {
    Stage stage = new Stage();
    List<Lease> leases = answeredTogether(stage, 3);

    for (Lease lease : leases) {
      CompletionStage<Void> unused = lease.release();
    }

    assertThat(stage.store.arrived()).hasSize(1);
    assertThat(stage.store.next().commands()).hasSize(3);
  }

  @Test
  void callerThatReturnsAloneGoesAfterAPause() {
    Stage stage = new Stage();
    List<Lease> leases = answeredTogether(stage, 3);

    CompletionStage<Void> unused = leases.get(0).release();
    assertThat(stage.store.arrived()).isEmpty();
    stage.advance(Duration.ofNanos(2 * Gathering.PAUSE_NANOS));

    assertThat(stage.store.next().commands()).hasSize(1);
  }

  @Test
  void callerThatReturnsLaterGoesAtOnce() {
    Stage stage = new Stage();
    List<Lease> leases = answeredTogether(stage, 3);
    stage.advance(Stage.A_MOMENT);

    CompletionStage<Void> unused = leases.get(0).release();

    assertThat(stage.store.next().commands()).hasSize(1);
  }

  private void landed(int answered, int waiting) {
    for (int i = 0; i < answered; i++) {
      gathering.callerAnswered();
    }
    gathering.landed(waiting);
  }

  /** Returns leases that were granted by one batch; what comes next is held back. */
  private static List<Lease> answeredTogether(Stage stage, int count) {
    stage.store.holdBack();
    List<CompletionStage<Boolean>> acquired = new ArrayList<>();
    acquired.add(stage.lease("before").acquire());
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Lease lease = stage.holder.lease(Stage.settings("a").withName("lease-" + i));
      leases.add(lease);
      acquired.add(lease.acquire());
    }
    stage.store.next().applyAndAnswer();
    Proposal together = stage.store.next();
    assertThat(together.commands()).hasSize(count);
    together.applyAndAnswer();
    acquired.forEach(grant -> assertThat(stage.result(grant)).isTrue());
    return leases;
  }
}
