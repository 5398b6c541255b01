package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

/** CORRECTNESS.md, P1: what a leader's clock starts from, adds, and never uses again. */
final class LeaderClockTest {

  private static final Duration TICK = Duration.ofMillis(100);

  private final VirtualTime time = new VirtualTime();
  private final Node node = new Node();
  private long applied = 1_000;
  private final LeaderClock clock = new LeaderClock(node, () -> applied, time);

  @Test
  void startsAtWhatHasBeenAppliedAndAddsElapsedTime() {
    node.lead(3);

    assertThat(clock.read()).isEqualTo(new LeaderClock.Reading(1_000, 3));
    time.advance(TICK);

    assertThat(clock.read()).isEqualTo(new LeaderClock.Reading(1_000 + TICK.toNanos(), 3));
  }

  @Test
  void refusesWhileTheNodeIsNotReadyToLead() {
    node.term = 3;
    node.ready = false;

    assertThatThrownBy(clock::read).isInstanceOf(LeaderClock.NotLeadingException.class);
    assertThat(clock.tick()).isEmpty();
  }

  @Test
  void refusesIfTheTermChangesWhileItStarts() {
    node.lead(3);
    node.nextTerms.add(3L);
    node.nextTerms.add(4L);

    assertThatThrownBy(clock::read)
        .isInstanceOf(LeaderClock.NotLeadingException.class)
        .hasMessageContaining("changed");
  }

  @Test
  void startsAnewInALaterTermAndForgetsWhatItToldBefore() {
    node.lead(3);
    for (int i = 0; i < 100; i++) {
      clock.read();
      time.advance(TICK);
    }

    node.lead(5);
    applied = 2_000;

    assertThat(clock.read()).isEqualTo(new LeaderClock.Reading(2_000, 5));
  }

  @Test
  void doesNotFollowWhatIsAppliedWithinItsTerm() {
    node.lead(3);
    clock.read();

    applied = 500_000;

    assertThat(clock.read().nanos()).isEqualTo(1_000);
  }

  @Test
  void addsAtMostOneStepForAStall() {
    node.lead(3);
    clock.read();

    time.advance(Duration.ofSeconds(10));

    assertThat(clock.read().nanos()).isEqualTo(1_000 + LeaderClock.STEP_MAX.toNanos());
    time.advance(TICK);
    assertThat(clock.read().nanos()).isEqualTo(1_000 + LeaderClock.STEP_MAX.plus(TICK).toNanos());
  }

  @Test
  void keepsUpWithTimeAsLongAsSomebodyReadsIt() {
    node.lead(3);
    clock.read();

    for (int i = 0; i < 600; i++) {
      time.advance(TICK);
      assertThat(clock.tick()).isPresent();
    }

    assertThat(clock.read().nanos()).isEqualTo(1_000 + Duration.ofMinutes(1).toNanos());
  }

  /** Leads when it is told to. */
  private static final class Node implements LeaderClock.Leadership {
    private final Deque<Long> nextTerms = new ArrayDeque<>();
    private long term;
    private boolean ready;

    void lead(long inTerm) {
      term = inTerm;
      ready = true;
    }

    @Override
    public long term() {
      return nextTerms.isEmpty() ? term : nextTerms.remove();
    }

    @Override
    public boolean isReady() {
      return ready;
    }
  }
}
