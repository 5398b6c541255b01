package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.concurrent.Strand;
import io.leasehold.raft.meters.HolderMeters;
import io.leasehold.store.core.SessionId;
import io.leasehold.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One grant as its node believes in it. */
final class HoldTest {

  /** So that deadlines lie beyond the overflow of the clock. */
  private static final long RENEWED = Long.MAX_VALUE - 500;

  private static final long LIFE = 1_000;

  private final Stage stage = new Stage();
  private final Claimant claimant = new Claimant(stage.holder.node(), "printer", "a");
  private final LiveSession session = new LiveSession(new SessionId(1, 1), RENEWED);
  private final Hold hold = new Hold(claimant, session, 1, 1, LIFE, 300);

  /** A ticker may start anywhere, so that a deadline may lie beyond its overflow. */
  @Test
  void livesUntilItsDeadlineAcrossTheOverflowOfTheClock() {
    assertThat(hold.isAliveAt(after(LIFE - 1))).isTrue();
    assertThat(hold.remainingNanos(after(LIFE - 1))).isEqualTo(1);
    assertThat(hold.isAliveAt(after(LIFE))).isFalse();
  }

  @Test
  void renewalOnlyEverMovesTheDeadlineForward() {
    session.renewed(RENEWED - 100);
    assertThat(session.renewedNanos()).isEqualTo(RENEWED);

    session.renewed(after(700));
    assertThat(hold.isAliveAt(after(1_699))).isTrue();
  }

  /** CORRECTNESS.md, S6: also when the renewal is already on its way to the field. */
  @Test
  void holdThatWasSeenOverNeverLivesAgain() {
    assertThat(hold.isAliveAt(after(LIFE))).isFalse();

    session.renewed(after(900));

    assertThat(hold.isAliveAt(after(LIFE))).isFalse();
    assertThat(hold.end()).as("its loss is still to be told").isTrue();
  }

  private static long after(long nanos) {
    return RENEWED + nanos;
  }

  @Test
  void endsOnce() {
    assertThat(hold.end()).isTrue();
    assertThat(hold.end()).isFalse();
    assertThat(hold.isAliveAt(RENEWED)).isFalse();
  }

  /** Whoever looked at the clock just before the renewal arrived may have said no. */
  @Test
  void deadlineThatPassesWhileTheRenewalIsTakenInEndsTheHold() {
    VirtualTime time = new VirtualTime();
    List<Hold> overdue = new ArrayList<>();
    long[] readings = {999, 1_000};
    int[] reads = {0};
    Holds holds =
        new Holds(
            () -> readings[Math.min(reads[0]++, 1)],
            time,
            new Strand(),
            overdue::add,
            HolderMeters.NONE);
    LiveSession renewed = new LiveSession(new SessionId(1, 1), 0);
    Hold brief = new Hold(claimant, renewed, 1, 1, LIFE, 300);
    Hold lasting = new Hold(claimant, renewed, 2, 1, LIFE + 1, 300);
    holds.add(brief);
    holds.add(lasting);
    reads[0] = 0;

    holds.renew(renewed, 500);

    assertThat(overdue).containsExactly(brief);
    assertThat(renewed.renewedNanos()).isEqualTo(500);
  }
}
