package io.leasehold.harness.check;

import static io.leasehold.harness.check.Story.A;
import static io.leasehold.harness.check.Story.B;
import static io.leasehold.harness.check.Story.C;
import static io.leasehold.harness.check.Story.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LeaseLost.Reason;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Digest;
import io.leasehold.harness.check.history.HistoryEvent.Guarded;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Outcome;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each rule of safety: a history that breaks it, and the nearest one that does not. */
class SafetyRulesTest {

  /** A holds 7 from 20 ms, and is taken over by B at 2020 ms, well after its time to live. */
  private static Story takeover() {
    return new Story()
        .granted(A, 10, 20, 7)
        .alive(A, 7, 30, 700)
        .fault(100, 5_000)
        .granted(B, 2_000, 2_020, 8)
        .alive(B, 8, 2_030);
  }

  @Test
  @DisplayName("S1 alive after the next grant had returned")
  void twoHolders() {
    assertThat(takeover().alive(A, 7, 2_021).brokenBy(6_000)).contains(Rule.S1);
    assertThat(takeover().alive(A, 7, 2_019).lost(A, 7, 2_020, Reason.EXPIRED).brokenBy(6_000))
        .doesNotContain(Rule.S1);
  }

  @Test
  @DisplayName("S1 alive after the next holder saw itself alive, though no call had told it yet")
  void twoHoldersBeforeTheReturn() {
    Story story =
        new Story()
            .granted(A, 10, 20, 7)
            .fault(100, 5_000)
            .granted(B, 2_000, 2_500, 8)
            .alive(B, 8, 2_100);

    assertThat(story.alive(A, 7, 2_101).brokenBy(2_600)).contains(Rule.S1);
  }

  @Test
  @DisplayName("S1 confirmed after the next grant had returned")
  void confirmedTooLate() {
    assertThat(takeover().granted(A, 2_030, 2_040, 7).brokenBy(2_050)).contains(Rule.S1);
    assertThat(takeover().granted(A, 1_900, 2_010, 7).brokenBy(2_050)).doesNotContain(Rule.S1);
  }

  @Test
  @DisplayName("S1 excepts what is documented as unsafe")
  void unsafeRevocation() {
    Story story =
        new Story()
            .granted(A, 10, 20, 7)
            .revoked(C, 100, 110, 7, true)
            .granted(B, 120, 130, 8)
            .alive(A, 7, 140)
            .lost(A, 7, 150, Reason.REVOKED);

    assertThat(story.brokenBy(400)).isEmpty();
  }

  @Test
  @DisplayName("S2 a later acquire with a smaller token")
  void smallerToken() {
    Handle other = new Handle("n2", 1, "b", "scanner");

    assertThat(new Story().granted(A, 10, 20, 7).granted(other, 21, 30, 6).brokenBy(40))
        .containsExactly(Rule.S2);
    assertThat(new Story().granted(A, 10, 20, 7).granted(other, 19, 30, 6).brokenBy(40)).isEmpty();
  }

  @Test
  @DisplayName("S3 one token, two holders")
  void tokenGivenTwice() {
    Handle other = new Handle("n2", 1, "b", "scanner");

    assertThat(new Story().granted(A, 10, 20, 7).granted(other, 15, 30, 7).brokenBy(40))
        .contains(Rule.S3);
  }

  @Test
  @DisplayName("S3 a token given again after its release")
  void tokenGivenAgain() {
    Story released = new Story().granted(A, 10, 20, 7).released(A, 30, 40);

    assertThat(released.granted(A, 50, 60, 7).brokenBy(70)).contains(Rule.S3);
    assertThat(new Story().granted(A, 10, 20, 7).granted(A, 50, 60, 7).brokenBy(70)).isEmpty();
  }

  @Test
  @DisplayName("S3 a token that nobody acquired")
  void tokenFromNowhere() {
    assertThat(new Story().refused(A, 10, 20).alive(A, 7, 30).brokenBy(40)).contains(Rule.S3);
    assertThat(new Story().failed(A, 10, 20, false).alive(A, 7, 15).brokenBy(40)).isEmpty();
  }

  @Test
  @DisplayName("S3 an acquisition with two tokens")
  void acquisitionWithTwoTokens() {
    Story story = new Story().granted(A, 10, 20, 5).released(A, 30, 40);
    for (int call = 100; call < 102; call++) {
      long at = nanos(call * 10L);
      story
          .and(Invoke.acquire(at, call, call == 100 ? B : C, nanos(1_000), 0))
          .and(new Return(at + 1, call, Outcome.OK, true, call, 0, "x1", null));
    }

    assertThat(story.brokenBy(3_000)).contains(Rule.S3);
  }

  @Test
  @DisplayName("S4 a smaller token after a restart")
  void smallerTokenAfterRestart() {
    Story story =
        new Story()
            .granted(A, 10, 20, 7)
            .released(A, 25, 30)
            .life("n2", 2, 40, Life.Step.START)
            .granted(B, 50, 60, 6);

    assertThat(story.brokenBy(70)).contains(Rule.S4).doesNotContain(Rule.S2);
  }

  @Test
  @DisplayName("S5 taken over before the time to live less the drift")
  void earlyTakeover() {
    // 1000 ms / 1.1 after the invocation at 10 ms is 919.09 ms.
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .granted(B, 900, 919, 8)
                .lost(A, 7, 920, Reason.TAKEN_OVER)
                .fault(100, 950)
                .brokenBy(1_100))
        .contains(Rule.S5);
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .granted(B, 900, 920, 8)
                .lost(A, 7, 921, Reason.TAKEN_OVER)
                .fault(100, 950)
                .brokenBy(1_100))
        .isEmpty();
  }

  @Test
  @DisplayName("S5 counts from the last confirmation, and not after a release was called")
  void earlyTakeoverAfterConfirm() {
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .granted(A, 800, 810, 7)
                .granted(B, 900, 1_500, 8)
                .lost(A, 7, 1_501, Reason.TAKEN_OVER)
                .fault(100, 1_550)
                .brokenBy(1_700))
        .contains(Rule.S5);
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .released(A, 100, 300)
                .granted(B, 150, 200, 8)
                .brokenBy(400))
        .isEmpty();
  }

  @Test
  @DisplayName("S6 alive again")
  void aliveAgain() {
    Story story = new Story().granted(A, 10, 20, 7).alive(A, 7, 30).notAlive(A, 40);

    assertThat(story.alive(A, 7, 41).brokenBy(50)).contains(Rule.S6);
    assertThat(
            new Story()
                .notAlive(A, 5)
                .granted(A, 10, 20, 7)
                .notAlive(A, 19)
                .alive(A, 7, 41)
                .brokenBy(50))
        .isEmpty();
  }

  @Test
  @DisplayName("S6 told twice, or alive after it was told")
  void toldTwice() {
    Story story =
        new Story().fault(0, 100).granted(A, 10, 20, 7).lost(A, 7, 50, Reason.UNREACHABLE);

    assertThat(story.lost(A, 7, 60, Reason.EXPIRED).brokenBy(200)).containsExactly(Rule.S6);
    assertThat(
            new Story()
                .fault(0, 100)
                .granted(A, 10, 20, 7)
                .lost(A, 7, 50, Reason.UNREACHABLE)
                .alive(A, 7, 51)
                .brokenBy(200))
        .containsExactly(Rule.S6);
  }

  @Test
  @DisplayName("S7 alive after release was called")
  void aliveAfterRelease() {
    Story story = new Story().granted(A, 10, 20, 7).released(A, 50, 90);

    assertThat(story.alive(A, 7, 52).brokenBy(100)).contains(Rule.S7);
    assertThat(new Story().granted(A, 10, 20, 7).alive(A, 7, 51).released(A, 50, 90).brokenBy(100))
        .isEmpty();
  }

  @Test
  @DisplayName("S8 refused though nobody had it")
  void refusedForNothing() {
    assertThat(new Story().refused(A, 10, 20).granted(B, 21, 30, 7).brokenBy(40)).contains(Rule.S8);
    assertThat(new Story().refused(A, 10, 20).granted(B, 20, 30, 7).brokenBy(40)).isEmpty();
  }

  @Test
  @DisplayName("S8 one's own hold refuses nobody; an unknown acquire of somebody else may")
  void refusedForOwnHold() {
    assertThat(new Story().granted(A, 10, 20, 7).refused(A, 30, 40).brokenBy(50)).contains(Rule.S8);
    assertThat(new Story().failed(B, 10, 20, false).refused(A, 30, 40).brokenBy(50)).isEmpty();
    assertThat(new Story().failed(B, 10, 20, true).refused(A, 30, 40).brokenBy(50))
        .contains(Rule.S8);
  }

  @Test
  @DisplayName("S9 refused because of a released lease")
  void refusedAfterRelease() {
    Story story = new Story().granted(A, 10, 20, 7).released(A, 30, 40);

    assertThat(story.refused(B, 41, 50).brokenBy(60)).contains(Rule.S9);
    assertThat(
            new Story().granted(A, 10, 20, 7).released(A, 30, 40).refused(B, 39, 50).brokenBy(60))
        .isEmpty();
  }

  @Test
  @DisplayName("S9 a waiter's refusal counts from the end of its wait")
  void waiterRefusedAfterRelease() {
    Story story = new Story().granted(A, 10, 20, 7).released(A, 30, 40);

    assertThat(story.refused(B, 35, 140, 100).brokenBy(150)).contains(Rule.S9);
  }

  @Test
  @DisplayName("S11 replicas that differ at one index")
  void replicasDiffer() {
    Digest first = replica("n1", 1, 50, 0, 0, "aa");

    assertThat(new Story().and(first).and(replica("n2", 2, 50, 0, 0, "ab")).brokenBy(10))
        .containsExactly(Rule.S11);
    assertThat(new Story().and(first).and(replica("n1", 2, 50, 0, 0, "ab")).brokenBy(10))
        .containsExactly(Rule.S11);
    assertThat(
            new Story()
                .and(first)
                .and(replica("n2", 2, 50, 0, 0, "aa"))
                .and(replica("n2", 3, 51, 0, 0, "ab"))
                .brokenBy(10))
        .isEmpty();
  }

  @Test
  @DisplayName("S12 lease time that falls along the log, whoever shows it")
  void leaseTimeFalls() {
    Digest later = replica("n1", 1_000, 51, 500, 0, "ab");

    assertThat(new Story().and(later).and(replica("n2", 1_001, 50, 501, 0, "aa")).brokenBy(2_000))
        .containsExactly(Rule.S12);
    assertThat(new Story().and(later).and(replica("n2", 1_001, 50, 500, 0, "aa")).brokenBy(2_000))
        .isEmpty();
  }

  @Test
  @DisplayName("S12 lease time that goes faster than a clock may")
  void leaseTimeRuns() {
    assertThat(new Story().and(replica("n1", 1_000, 50, 1_101, 0, "aa")).brokenBy(2_000))
        .containsExactly(Rule.S12);
    assertThat(new Story().and(replica("n1", 1_000, 50, 1_100, 0, "aa")).brokenBy(2_000)).isEmpty();
  }

  @Test
  @DisplayName("S14 an acknowledged grant that a replica has forgotten")
  void grantForgotten() {
    Story held = new Story().granted(A, 10, 20, 7);
    assertThat(held.and(replica("n2", 1_021, 50, 0, 6, "aa")).brokenBy(2_000))
        .containsExactly(Rule.S14);
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .and(replica("n2", 1_021, 50, 0, 7, "aa"))
                .brokenBy(2_000))
        .isEmpty();
  }

  @Test
  @DisplayName("S14 gives a replica calm time to learn of a grant")
  void grantNotYetKnown() {
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .and(replica("n2", 1_020, 50, 0, 6, "aa"))
                .brokenBy(2_000))
        .isEmpty();
    assertThat(
            new Story()
                .fault(100, 600)
                .granted(A, 10, 20, 7)
                .and(replica("n2", 1_520, 50, 0, 6, "aa"))
                .brokenBy(2_000))
        .isEmpty();
    assertThat(
            new Story()
                .fault(100, 600)
                .granted(A, 10, 20, 7)
                .and(replica("n2", 1_521, 50, 0, 6, "aa"))
                .brokenBy(2_000))
        .containsExactly(Rule.S14);
  }

  @Test
  @DisplayName("S14 gives a replica that has just started calm time to catch up")
  void grantNotYetKnownAgain() {
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .life("n2", 1, 1_100, Life.Step.START)
                .life("n2", 1, 1_110, Life.Step.READY)
                .and(replica("n2", 2_110, 50, 0, 6, "aa"))
                .brokenBy(3_000))
        .isEmpty();
    assertThat(
            new Story()
                .granted(A, 10, 20, 7)
                .life("n2", 1, 1_100, Life.Step.START)
                .life("n2", 1, 1_110, Life.Step.READY)
                .and(replica("n2", 2_111, 50, 0, 6, "aa"))
                .brokenBy(3_000))
        .containsExactly(Rule.S14);
  }

  private static Digest replica(
      String node, long at, long index, long leaseTime, long lastToken, String digest) {
    return new Digest(nanos(at), nanos(at), node, 1, index, nanos(leaseTime), lastToken, digest);
  }

  @Test
  @DisplayName("S17 an older token accepted after a newer one, or a write lost")
  void guardedResource() {
    assertThat(new Story().and(write(7, 1)).and(write(6, 2)).brokenBy(10))
        .containsExactly(Rule.S17);
    assertThat(new Story().and(write(7, 1)).and(write(7, 1)).brokenBy(10))
        .containsExactly(Rule.S17);
    assertThat(new Story().and(write(6, 1)).and(write(7, 2)).brokenBy(10)).isEmpty();
  }

  private static Guarded write(long token, long count) {
    return new Guarded(2, 1, "n1", 1, "counter", token, true, count);
  }

  @Test
  @DisplayName("H1 returned twice, or before it was invoked")
  void malformed() {
    assertThat(new Story().granted(A, 10, 20, 7).and(Return.granted(nanos(25), 1, 7)).brokenBy(30))
        .containsExactly(Rule.H1);
    assertThat(new Story().granted(A, 30, 20, 7).brokenBy(40)).contains(Rule.H1);
  }
}
