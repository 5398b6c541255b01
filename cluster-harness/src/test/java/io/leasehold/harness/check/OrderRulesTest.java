package io.leasehold.harness.check;

import static io.leasehold.harness.check.Story.A;
import static io.leasehold.harness.check.Story.B;
import static io.leasehold.harness.check.Story.C;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rules about order and time: broken, and just not. */
class OrderRulesTest {

  private static final Handle OTHER_LEASE_OF_B = new Handle("n2", 1, "b", "scanner");

  /** B waits from 30 ms, and another call of its node that came after it is answered by 50 ms. */
  private static Story queued() {
    return new Story().granted(A, 10, 20, 5).granted(OTHER_LEASE_OF_B, 40, 50, 6);
  }

  @Test
  @DisplayName("FIFO somebody who came later is served first")
  void overtaken() {
    assertThat(
            queued()
                .released(A, 90, 100)
                .granted(C, 51, 105, 7, 500)
                .released(C, 106, 110)
                .granted(B, 30, 120, 8, 500)
                .brokenBy(200))
        .containsExactly(Rule.FIFO);
  }

  @Test
  @DisplayName("FIFO whoever may have come at the same time may be served first")
  void notCertainlyOvertaken() {
    assertThat(
            queued()
                .released(A, 90, 100)
                .granted(C, 49, 105, 7, 500)
                .released(C, 106, 110)
                .granted(B, 30, 120, 8, 500)
                .brokenBy(200))
        .isEmpty();
  }

  @Test
  @DisplayName("FIFO a try does not overtake the queue either")
  void overtakenByATry() {
    assertThat(
            queued()
                .released(A, 90, 100)
                .granted(C, 101, 105, 7)
                .released(C, 106, 110)
                .granted(B, 30, 120, 8, 500)
                .brokenBy(200))
        .containsExactly(Rule.FIFO);
  }

  @Test
  @DisplayName("S15 a lost lease that stays taken")
  void orphan() {
    // Out of hands at 100 ms, free by 1200 ms, and an answer may take a second more.
    assertThat(new Story().failed(A, 50, 100, false).refused(B, 2_201, 2_210).brokenBy(2_300))
        .contains(Rule.S15);
    assertThat(new Story().failed(A, 50, 100, false).refused(B, 2_199, 2_210).brokenBy(2_300))
        .isEmpty();
  }

  @Test
  @DisplayName("S15 does not count the time of a fault")
  void orphanInTrouble() {
    assertThat(
            new Story()
                .failed(A, 50, 100, false)
                .fault(500, 5_500)
                .refused(B, 7_199, 7_210)
                .brokenBy(7_300))
        .isEmpty();
    assertThat(
            new Story()
                .failed(A, 50, 100, false)
                .fault(500, 5_500)
                .refused(B, 7_201, 7_210)
                .brokenBy(7_300))
        .contains(Rule.S15);
  }

  /** Its own hold was between, so the older one of another holder does not tell what was free. */
  @Test
  @DisplayName("S15 allows a waiter its last moment")
  void refusedForTheSakeOfAWaiter() {
    Story story =
        new Story()
            .granted(B, 10, 20, 7)
            .released(B, 30, 40)
            .granted(A, 50, 60, 8)
            .refused(C, 600, 1_600, 1_000)
            .released(A, 1_590, 1_595);

    assertThat(story.refused(A, 1_597, 1_605).brokenBy(2_000)).isEmpty();
    assertThat(story.refused(A, 2_601, 2_605).brokenBy(3_000)).isNotEmpty();
  }

  @Test
  @DisplayName("S15 two who wait in vain for a free lease do not explain each other")
  void waitersForAFreeLease() {
    assertThat(
            new Story()
                .granted(B, 10, 20, 7)
                .released(B, 30, 40)
                .refused(A, 600, 2_600, 2_000)
                .refused(C, 601, 2_601, 2_000)
                .brokenBy(3_000))
        .contains(Rule.S15);
    // Freed a moment before their waits end, and passed on from one to the other.
    assertThat(
            new Story()
                .granted(B, 10, 20, 7)
                .released(B, 2_590, 2_595)
                .refused(A, 600, 2_600, 2_000)
                .refused(C, 601, 2_601, 2_000)
                .brokenBy(3_000))
        .isEmpty();
  }

  @Test
  @DisplayName("S15 a waiter in vain explains no refusal when the lease was free before its end")
  void waiterForAFreeLease() {
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .released(A, 30, 40)
                .refused(C, 600, 2_600, 2_000)
                .refused(B, 2_599, 2_605)
                .brokenBy(3_000))
        .contains(Rule.S15);
  }

  @Test
  @DisplayName("S15 a waiter that is served late")
  void servedLate() {
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .released(A, 30, 40)
                .granted(B, 35, 1_041, 8, 5_000)
                .brokenBy(2_000))
        .containsExactly(Rule.S15);
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .released(A, 30, 40)
                .granted(B, 35, 1_039, 8, 5_000)
                .brokenBy(2_000))
        .isEmpty();
  }

  @Test
  @DisplayName("L1 a dead holder that is replaced late")
  void replacedLate() {
    // Dead at 500 ms, run out by 1600 ms, and an answer may take a second more.
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .life("n1", 1, 500, Life.Step.KILL)
                .granted(B, 100, 2_601, 8, 5_000)
                .brokenBy(3_000))
        .containsExactly(Rule.L1);
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .life("n1", 1, 500, Life.Step.KILL)
                .granted(B, 100, 2_599, 8, 5_000)
                .brokenBy(3_000))
        .isEmpty();
  }

  @Test
  @DisplayName("L3 a node that does not come back")
  void noRecovery() {
    Story healed =
        new Story()
            .faultsOver(100)
            .granted(A, 200, 210, 7)
            .released(A, 220, 230)
            .granted(B, 300, 310, 8)
            .released(B, 320, 330);

    assertThat(healed.brokenBy(20_000)).containsExactly(Rule.L3);
    assertThat(
            new Story()
                .faultsOver(100)
                .granted(A, 200, 210, 7)
                .released(A, 220, 230)
                .granted(B, 300, 310, 8)
                .released(B, 320, 330)
                .granted(C, 400, 410, 9)
                .released(C, 420, 430)
                .brokenBy(20_000))
        .isEmpty();
  }

  @Test
  @DisplayName("LIN answers that no order explains, though each alone is possible")
  void noOrder() {
    // A's grant could explain why B was refused, were it not that B itself had the lease then.
    assertThat(
            new Story()
                .granted(B, 1, 2, 6)
                .alive(B, 6, 15)
                .refused(B, 10, 12)
                .released(B, 16, 17)
                .granted(A, 10, 20, 7)
                .brokenBy(80))
        .containsExactly(Rule.LIN);
    assertThat(
            new Story()
                .granted(B, 1, 2, 6)
                .released(B, 9, 17)
                .refused(B, 10, 12)
                .granted(A, 10, 20, 7)
                .brokenBy(80))
        .isEmpty();
  }
}
