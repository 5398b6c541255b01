package io.leasehold.raft;

import static io.leasehold.raft.Stage.INTERVAL;
import static io.leasehold.raft.Stage.LIFE;
import static io.leasehold.raft.Stage.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.raft.ManualStore.Proposal;
import io.leasehold.store.core.BatchReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keeping a lease. */
final class RenewalTest {

  private final Stage stage = new Stage();

  /** CASES.md, 52: with default settings. */
  @Test
  void holdLastsForTwentyTtls() {
    Lease lease = stage.held();
    long token = lease.fencingToken().orElseThrow();

    for (int i = 0; i < 200; i++) {
      stage.advance(TTL.dividedBy(10));
      stage.store.expireDue();
      assertThat(lease.checkAlive()).isTrue();
    }

    assertThat(lease.fencingToken()).hasValue(token);
    stage.assertNothingLost();
  }

  @Test
  void renewalIsMadeAfterTheIntervalAndNotBefore() {
    stage.held();
    int before = stage.store.seen().size();

    stage.advance(INTERVAL.minusNanos(1));
    assertThat(stage.store.seen()).hasSize(before);
    stage.advance(Duration.ofNanos(1));

    assertThat(stage.store.seen()).hasSize(before + 1);
    assertThat(stage.store.seen().get(before).commands()).isEmpty();
  }

  @Test
  void oneRenewalKeepsAllLeasesOfTheNode() {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Lease lease = stage.holder.lease(Stage.settings("a").withName("lease-" + i));
      assertThat(stage.result(lease.acquire())).isTrue();
      leases.add(lease);
    }
    int before = stage.store.seen().size();

    stage.advance(INTERVAL.multipliedBy(10));

    assertThat(stage.store.seen()).hasSize(before + 10);
    leases.forEach(lease -> assertThat(lease.checkAlive()).isTrue());
  }

  @Test
  void shortestIntervalOfWhatIsHeldSetsThePace() {
    Lease slow = stage.held();
    LeaseSettings settings = Stage.settings("a").withName("fast").withTtl(Duration.ofMillis(300));
    Lease fast = stage.holder.lease(settings);
    assertThat(stage.result(fast.acquire())).isTrue();

    assertThat(renewalsWithin(Duration.ofSeconds(6))).isEqualTo(60);
    stage.result(fast.release());
    assertThat(renewalsWithin(Duration.ofSeconds(6))).isEqualTo(6);
    stage.result(slow.release());
    assertThat(renewalsWithin(Duration.ofSeconds(60))).isEqualTo(6);
  }

  private int renewalsWithin(Duration duration) {
    int before = stage.store.seen().size();
    stage.advance(duration);
    return stage.store.seen().size() - before;
  }

  /** CASES.md, 44, 46, 47: errors inside the budget cost nothing. */
  @ParameterizedTest(name = "{0} failures")
  @ValueSource(ints = {1, 2, 3, 4})
  void failedAttemptsWithinTheBudgetCostNothing(int failures) {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.advance(INTERVAL);
    for (int i = 0; i < failures; i++) {
      stage.store.next().fail();
      stage.advance(Duration.ofMillis(150));
    }
    assertThat(lease.checkAlive()).isTrue();

    stage.store.goOn();
    stage.advance(TTL);

    assertThat(lease.checkAlive()).isTrue();
    stage.assertNothingLost();
  }

  /** CASES.md, 49, 50: an attempt that hangs is repeated with another member within a third. */
  @Test
  void attemptThatHangsIsRepeatedInTime() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.advance(INTERVAL);

    stage.advance(INTERVAL.dividedBy(3));

    List<Proposal> copies = stage.store.arrived();
    assertThat(copies).extracting(Proposal::attempt).containsExactly(0, 1);
    assertThat(copies.get(1).batch()).isEqualTo(copies.get(0).batch());
    assertThat(lease.checkAlive()).isTrue();
  }

  /** CASES.md, 4, 7, 17, 20: both sides of the edge. */
  @Test
  void silenceEndsTheHoldAtItsDeadlineAndNotBefore() {
    Lease lease = stage.held();
    stage.store.holdBack();

    stage.advance(LIFE.minusNanos(1));
    assertThat(lease.checkAlive()).isTrue();
    assertThat(lease.remaining()).isEqualTo(Duration.ofNanos(1));
    stage.assertNothingLost();
    stage.advance(Duration.ofNanos(1));

    assertThat(lease.checkAlive()).isFalse();
    assertThat(lease.remaining()).isZero();
    assertThat(lease.fencingToken()).isEmpty();
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
  }

  /** CASES.md, 5; CORRECTNESS.md, P8. */
  @Test
  void renewalThatIsAcknowledgedAfterTheDeadlineRevivesNothing() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.advance(INTERVAL);
    Proposal renewal = stage.store.next();
    BatchReply reply = renewal.apply();
    stage.advance(LIFE.minus(INTERVAL));
    assertThat(lease.checkAlive()).isFalse();

    renewal.answer(reply);

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
    stage.store.goOn();
    assertThat(stage.holderInStore()).as("CASES.md, 47: given back, so nobody waits").isEmpty();
  }

  /** A pause: the acknowledgement comes before the timer, and finds the deadline passed. */
  @Test
  void acknowledgementThatComesBeforeTheTimerAfterAPauseRevivesNothing() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.advance(INTERVAL);
    Proposal renewal = stage.store.next();
    BatchReply reply = renewal.apply();
    stage.standStill(LIFE.minus(INTERVAL));

    renewal.answer(reply);

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
  }

  /** The very first look after a pause, before any timer has rung. */
  @Test
  void holdIsOverWhenTheProcessWakesAfterItsDeadline() {
    Lease lease = stage.held();

    stage.standStill(LIFE);

    assertThat(lease.checkAlive()).isFalse();
    stage.assertNothingLost();
    stage.advance(TTL);
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
  }

  /** CASES.md, 10: reads may be served all the while. */
  @Test
  void storeThatRefusesWritesEndsTheHoldAtItsDeadline() {
    Lease lease = stage.held();
    stage.store.holdBack();

    for (int i = 0; i < 240; i++) {
      stage.advance(Duration.ofMillis(10));
      stage.store.arrived().forEach(proposal -> stage.store.next().reject());
    }

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
  }

  /** CASES.md, 43. */
  @Test
  void holdAfterALossIsRenewedLikeAnyOther() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.advance(LIFE);
    stage.store.goOn();
    assertThat(stage.result(lease.acquire())).isTrue();

    for (int i = 0; i < 50; i++) {
      stage.advance(TTL.dividedBy(10));
      stage.store.expireDue();
    }

    assertThat(lease.checkAlive()).isTrue();
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
  }

  /** A batch that every member has refused before the log may be regrouped, and counts anew. */
  @Test
  void batchThatIsCertainlyRejectedIsSentAnewWithItsOwnDeadline() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    Proposal first = stage.store.next();
    stage.advance(Duration.ofMillis(100));
    first.reject();
    stage.advance(Duration.ofMillis(100));
    Proposal second = stage.store.next();
    second.applyAndAnswer();

    assertThat(second.sequence()).isGreaterThan(first.sequence());
    assertThat(stage.result(acquired)).isTrue();
    assertThat(lease.remaining())
        .isEqualTo(LIFE.minusNanos(stage.time.nanos() - second.handedNanos()));
  }

  /** What may be in the log already must not get there again under another number. */
  @Test
  void batchThatMayBeAppliedKeepsItsNumber() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    Proposal first = stage.store.next();
    first.fail();
    stage.advance(Duration.ofMillis(100));
    Proposal second = stage.store.next();
    second.reject();
    stage.advance(Duration.ofMillis(100));
    Proposal third = stage.store.next();

    assertThat(second.sequence()).isEqualTo(first.sequence());
    assertThat(third.sequence()).isEqualTo(first.sequence());
    third.applyAndAnswer();
    assertThat(stage.result(acquired)).isTrue();
    assertThat(lease.remaining())
        .isEqualTo(LIFE.minusNanos(stage.time.nanos() - first.handedNanos()));
  }

  @Test
  void callsThatKeepComingDoNotPutOffTheNextAttempt() {
    stage.store.holdBack();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.store.next().reject();

    for (int i = 0; i < 300; i++) {
      CompletionStage<Boolean> unused =
          stage.holder.lease(Stage.settings("a").withName("x" + i)).acquire();
      stage.advance(Duration.ofMillis(1));
    }

    assertThat(stage.store.arrived()).isNotEmpty();
    stage.store.goOn();
    assertThat(stage.result(acquired)).isTrue();
  }

  /** CORRECTNESS.md, P8: an acknowledgement extends only what it vouches for. */
  @Test
  void renewalDoesNotExtendWhatTheStoreDoesNotHave() {
    Lease lease = stage.held();
    stage.store.tellLater();
    stage.advance(Duration.ofMillis(500));
    stage.otherRevokes();
    stage.store.holdBack();
    stage.advance(Duration.ofMillis(500));
    List<Long> renewedWhenTold = new ArrayList<>();
    stage.whenCallbackIsDue(() -> renewedWhenTold.add(stage.holder.renewedNanos()));

    stage.store.next().applyAndAnswer();

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.REVOKED);
    assertThat(renewedWhenTold).as("the deadline is moved after the loss").containsExactly(0L);
    assertThat(stage.holder.renewedNanos()).isEqualTo(INTERVAL.toNanos());
  }
}
