package io.leasehold.harness.check;

import static io.leasehold.harness.check.Story.A;
import static io.leasehold.harness.check.Story.B;
import static io.leasehold.harness.check.Story.C;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LeaseEvent.Kind;
import io.leasehold.LeaseLost.Reason;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rules about losses and what observers are told: broken, and just not. */
class LossRulesTest {

  private static Story heldInTrouble() {
    return new Story().fault(0, 3_000).granted(A, 10, 20, 7).alive(A, 7, 30);
  }

  @Test
  @DisplayName("S13 not alive any more, never told")
  void untold() {
    assertThat(heldInTrouble().notAlive(A, 900).brokenBy(4_000)).containsExactly(Rule.S13);
    assertThat(heldInTrouble().notAlive(A, 900).lost(A, 7, 950, Reason.UNREACHABLE).brokenBy(4_000))
        .isEmpty();
  }

  @Test
  @DisplayName("S13 excuses a process that died before it could tell")
  void untoldByTheDead() {
    assertThat(heldInTrouble().notAlive(A, 900).life("n1", 1, 999, Life.Step.KILL).brokenBy(4_000))
        .isEmpty();
    assertThat(
            heldInTrouble().notAlive(A, 900).life("n1", 1, 1_001, Life.Step.KILL).brokenBy(4_000))
        .containsExactly(Rule.S13);
  }

  @Test
  @DisplayName("S13 does not count the time of a pause")
  void untoldWhilePaused() {
    Story story =
        heldInTrouble()
            .notAlive(A, 900)
            .life("n1", 1, 950, Life.Step.PAUSE)
            .life("n1", 1, 2_950, Life.Step.RESUME);

    assertThat(story.lost(A, 7, 3_000, Reason.UNREACHABLE).brokenBy(4_000)).isEmpty();
  }

  @Test
  @DisplayName("S13 excuses a process that was paused until it was killed")
  void untoldByOneThatDiedInAPause() {
    Story story = heldInTrouble().notAlive(A, 900);

    assertThat(
            story
                .life("n1", 1, 950, Life.Step.PAUSE)
                .life("n1", 1, 3_950, Life.Step.KILL)
                .brokenBy(6_000))
        .isEmpty();
    assertThat(
            heldInTrouble()
                .notAlive(A, 900)
                .life("n1", 1, 950, Life.Step.PAUSE)
                .life("n1", 1, 2_950, Life.Step.RESUME)
                .life("n1", 1, 3_950, Life.Step.KILL)
                .brokenBy(6_000))
        .containsExactly(Rule.S13);
  }

  @Test
  @DisplayName("S13 a hold that another one followed, before its late release")
  void untoldThoughTakenOver() {
    assertThat(
            heldInTrouble().granted(B, 2_000, 2_010, 8).released(A, 2_500, 2_600).brokenBy(4_000))
        .containsExactly(Rule.S13);
    assertThat(
            heldInTrouble().granted(B, 2_000, 2_010, 8).released(A, 2_005, 2_600).brokenBy(4_000))
        .isEmpty();
  }

  @Test
  @DisplayName("S13 a hold whose own holder got another token without releasing it")
  void untoldThoughReacquired() {
    assertThat(heldInTrouble().granted(A, 2_000, 2_010, 8).brokenBy(4_000))
        .containsExactly(Rule.S13);
  }

  @Test
  @DisplayName("S13 a loss of a hold that never was")
  void inventedLoss() {
    assertThat(
            new Story()
                .fault(0, 100)
                .refused(A, 10, 20)
                .granted(B, 5, 30, 6)
                .lost(A, 7, 40, Reason.EXPIRED)
                .brokenBy(200))
        .contains(Rule.S13);
  }

  @Test
  @DisplayName("S13 allows a loss that came before a release to be told after it")
  void lossBeforeALateRelease() {
    assertThat(
            heldInTrouble()
                .notAlive(A, 900)
                .released(A, 901, 910)
                .lost(A, 7, 2_100, Reason.UNREACHABLE)
                .brokenBy(4_000))
        .isEmpty();
    assertThat(
            heldInTrouble()
                .released(A, 901, 910)
                .lost(A, 7, 2_100, Reason.UNREACHABLE)
                .brokenBy(4_000))
        .containsExactly(Rule.S13);
  }

  @Test
  @DisplayName("S13 a loss that is told late, whether or not its holder has released it since")
  void toldLate() {
    // Calm begins at 905 ms, and a handler has 100 ms of it.
    assertThat(overInCalm().lost(A, 7, 1_006, Reason.UNREACHABLE).brokenBy(4_000))
        .containsExactly(Rule.S13);
    assertThat(overInCalm().lost(A, 7, 1_005, Reason.UNREACHABLE).brokenBy(4_000)).isEmpty();
    assertThat(
            overInCalm()
                .released(A, 902, 910)
                .lost(A, 7, 1_006, Reason.UNREACHABLE)
                .brokenBy(4_000))
        .containsExactly(Rule.S13);
    assertThat(
            overInCalm()
                .released(A, 902, 910)
                .lost(A, 7, 1_005, Reason.UNREACHABLE)
                .brokenBy(4_000))
        .isEmpty();
  }

  private static Story overInCalm() {
    return new Story().fault(0, 905).granted(A, 10, 20, 7).notAlive(A, 900);
  }

  @Test
  @DisplayName("S13 a no from after the release does not show that the hold was over before")
  void notAliveOnlyAfterItsRelease() {
    assertThat(
            heldInTrouble()
                .released(A, 901, 910)
                .notAlive(A, 901)
                .lost(A, 7, 2_100, Reason.UNREACHABLE)
                .brokenBy(4_000))
        .containsExactly(Rule.S13);
  }

  @Test
  @DisplayName("S13 a loss after a release")
  void lostAfterRelease() {
    assertThat(
            heldInTrouble()
                .released(A, 100, 110)
                .lost(A, 7, 201, Reason.UNREACHABLE)
                .brokenBy(4_000))
        .containsExactly(Rule.S13);
    // It was lost before, and the handler came a little later.
    assertThat(
            heldInTrouble()
                .released(A, 100, 110)
                .lost(A, 7, 199, Reason.UNREACHABLE)
                .brokenBy(4_000))
        .isEmpty();
  }

  @Test
  @DisplayName("L2 lost though nothing was wrong")
  void lostWithoutCause() {
    Story calm = new Story().granted(A, 10, 20, 7);

    assertThat(calm.lost(A, 7, 2_000, Reason.UNREACHABLE).brokenBy(3_000)).containsExactly(Rule.L2);
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .fault(500, 1_001)
                .lost(A, 7, 2_000, Reason.UNREACHABLE)
                .brokenBy(3_000))
        .isEmpty();
  }

  @Test
  @DisplayName("L2 revoked though nobody asked for it")
  void revokedByNobody() {
    assertThat(new Story().granted(A, 10, 20, 7).lost(A, 7, 50, Reason.REVOKED).brokenBy(3_000))
        .containsExactly(Rule.L2);
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .revoked(C, 40, 60, 7, false)
                .lost(A, 7, 50, Reason.REVOKED)
                .brokenBy(3_000))
        .isEmpty();
  }

  @Test
  @DisplayName("S13 an observer sees tokens go back, or one grant twice")
  void observersOrder() {
    Story story = new Story().granted(A, 10, 20, 7).released(A, 30, 40).granted(B, 50, 60, 8);

    assertThat(
            story
                .observed(C, 70, Kind.GRANTED, B, 8)
                .observed(C, 80, Kind.RELEASED, A, 7)
                .brokenBy(100))
        .containsExactly(Rule.S13);
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .observed(C, 70, Kind.GRANTED, A, 7)
                .observed(C, 80, Kind.GRANTED, A, 7)
                .brokenBy(100))
        .containsExactly(Rule.S13);
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .observed(C, 70, Kind.GRANTED, A, 7)
                .observed(C, 80, Kind.CURRENT, A, 7)
                .observed(B, 75, Kind.GRANTED, A, 7)
                .brokenBy(100))
        .isEmpty();
  }

  @Test
  @DisplayName("S13 an observer sees a token under another holder")
  void observersHolder() {
    assertThat(new Story().granted(A, 10, 20, 7).observed(C, 70, Kind.RELEASED, B, 7).brokenBy(100))
        .containsExactly(Rule.S13);
  }

  @Test
  @DisplayName("S10 a grant after a call that certainly failed")
  void traceOfAFailure() {
    assertThat(
            new Story().failed(A, 10, 20, true).observed(C, 30, Kind.GRANTED, A, 7).brokenBy(100))
        .containsExactly(Rule.S10);
    assertThat(
            new Story().failed(A, 10, 20, false).observed(C, 30, Kind.GRANTED, A, 7).brokenBy(100))
        .isEmpty();
  }
}
