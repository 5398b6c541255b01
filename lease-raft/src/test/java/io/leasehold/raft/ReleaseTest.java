package io.leasehold.raft;

import static io.leasehold.raft.Stage.INTERVAL;
import static io.leasehold.raft.Stage.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.raft.ManualStore.Proposal;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Reply;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Giving a lease up. */
final class ReleaseTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Stage stage = new Stage();

  /** CORRECTNESS.md, P9. */
  @Test
  void holdIsOverBeforeAnythingIsSent() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.advance(INTERVAL); // a renewal is in flight, so nothing else goes

    CompletionStage<Void> released = lease.release();

    assertThat(stage.store.seen())
        .flatExtracting(Proposal::commands)
        .noneMatch(Command.Release.class::isInstance);
    assertThat(lease.checkAlive()).isFalse();
    assertThat(lease.remaining()).isZero();
    assertThat(lease.fencingToken()).isEmpty();
    assertThat(stage.isDone(released)).isFalse();
    stage.store.goOn();
    stage.result(released);
    assertThat(stage.holderInStore()).isEmpty();
    stage.assertNothingLost();
  }

  @Test
  void releaseDoesNotWaitBehindAcquiresThatHaveComeBefore() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.advance(INTERVAL); // a renewal is in flight, so nothing else goes
    for (int i = 0; i < HolderSide.CALLS_MAX; i++) {
      var unused = stage.holder.lease(LeaseSettings.of("wanted-" + i, "a", TTL)).acquire();
    }

    CompletionStage<Void> released = lease.release();
    stage.store.next().applyAndAnswer();
    stage.settle();
    stage.store.next().applyAndAnswer();

    stage.result(released);
    assertThat(stage.holderInStore()).isEmpty();
  }

  /** CASES.md, 70. */
  @Test
  void releaseOfWhatIsNotHeldDoesNothing() {
    Lease lease = stage.lease("a");
    stage.otherAcquires();

    stage.result(lease.release());
    assertThat(stage.result(lease.acquire())).isFalse();
    stage.result(lease.release());

    assertThat(stage.holderInStore()).hasValue("other");
    stage.assertNothingLost();
  }

  /** CASES.md, 11: whoever comes back from a pause and releases has lost it before. */
  @Test
  void releaseAfterTheDeadlineIsTheLossThatNobodyHadNoticed() {
    Lease lease = stage.held();
    stage.standStill(Stage.LIFE);

    CompletionStage<Void> released = lease.release();

    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
    stage.result(released);
    assertThat(stage.holderInStore()).isEmpty();
    stage.result(lease.release());
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
  }

  /** CASES.md, 73, 74. */
  @Test
  void releaseWithoutAnAnswerIsUnknownAndGoesOn() {
    Lease lease = stage.held();
    stage.store.holdBack();
    CompletionStage<Void> released = lease.release();

    stage.advance(HolderSide.REQUEST_TIMEOUT);

    assertThat(stage.failure(released)).isInstanceOf(LeaseIndeterminateException.class);
    assertThat(lease.checkAlive()).isFalse();
    stage.store.goOn();
    assertThat(stage.holderInStore()).isEmpty();
    stage.result(lease.release());
    stage.assertNothingLost();
  }

  /** CASES.md, 73: at the latest the ttl ends it. */
  @Test
  void leaseWhoseReleaseGetsNowhereIsFreeAfterItsTtl() {
    Lease lease = stage.held();
    stage.store.holdBack();
    CompletionStage<Void> released = lease.release();

    stage.advance(TTL.minusNanos(1));
    assertThat(stage.otherAcquires()).isInstanceOf(Reply.HeldByOther.class);
    stage.advance(Duration.ofNanos(1));

    assertThat(stage.otherAcquires()).isInstanceOf(Reply.Granted.class);
    stage.store.goOn();
    stage.result(released);
    assertThat(stage.holderInStore()).hasValue("other");
    stage.assertNothingLost();
  }

  /** CASES.md, 76. */
  @Test
  void secondReleaseLeavesTheNextHolderAlone() {
    Lease lease = stage.held();
    stage.result(lease.release());
    stage.otherAcquires();

    stage.result(lease.release());

    assertThat(stage.holderInStore()).hasValue("other");
  }

  @Test
  void secondReleaseWaitsForTheFirst() {
    Lease lease = stage.held();
    stage.store.holdBack();
    CompletionStage<Void> first = lease.release();
    CompletionStage<Void> second = lease.release();
    assertThat(stage.isDone(second)).isFalse();

    stage.store.goOn();

    stage.result(first);
    stage.result(second);
  }

  /** CASES.md, 103; CORRECTNESS.md, P6: an old release never frees a later grant. */
  @Test
  void releaseThatIsLateLeavesTheNextHoldAlone() {
    Lease lease = stage.held();
    long token = lease.fencingToken().orElseThrow();
    stage.store.holdBack();
    CompletionStage<Void> released = lease.release();
    Proposal release = stage.store.next();
    CompletionStage<Boolean> again = lease.acquire();

    release.applyAndAnswer();
    stage.store.goOn();
    stage.result(released);
    assertThat(stage.result(again)).isTrue();
    release.applyAndAnswer();
    stage.advance(TTL);

    assertThat(lease.checkAlive()).isTrue();
    assertThat(lease.fencingToken().orElseThrow()).isGreaterThan(token);
    assertThat(stage.holderInStore()).hasValue("a");
  }

  /** CASES.md, 80. */
  @Test
  void releaseDuringAnAcquireUndoesItsGrant() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    CompletionStage<Void> released = lease.release();
    assertThat(stage.isDone(released)).isFalse();

    stage.store.goOn();

    assertThat(stage.result(acquired)).isTrue();
    stage.result(released);
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).isEmpty();
    stage.assertNothingLost();
  }

  @Test
  void acquireAfterAReleaseDuringAnAcquireIsAGrantOfItsOwn() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> first = lease.acquire();
    CompletionStage<Void> released = lease.release();
    CompletionStage<Boolean> second = lease.acquire();

    stage.store.goOn();

    assertThat(stage.result(first)).isTrue();
    stage.result(released);
    assertThat(stage.result(second)).isTrue();
    assertThat(lease.checkAlive()).isTrue();
    assertThat(lease.fencingToken()).hasValue(stage.tokenInStore());
  }

  /** CASES.md, 80: calls on one hold take effect in their order. */
  @Test
  void releaseUndoesAlsoTheAcquiresThatWaitForAnEarlierOneToEnd() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> first = lease.acquire();
    CompletionStage<Void> firstReleased = lease.release();
    CompletionStage<Boolean> second = lease.acquire();
    CompletionStage<Void> secondReleased = lease.release();
    CompletionStage<Boolean> third = lease.acquire(HOUR);
    CompletionStage<Void> thirdReleased = lease.release();

    stage.store.goOn();
    stage.advance(Stage.A_MOMENT);

    assertThat(stage.result(first)).isTrue();
    stage.result(firstReleased);
    assertThat(stage.result(second)).isTrue();
    stage.result(secondReleased);
    assertThat(stage.result(third)).isTrue();
    stage.result(thirdReleased);
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).isEmpty();
  }

  @Test
  void releaseBeforeTheAcquireIsSentUndoesItToo() {
    stage.store.holdBack();
    CompletionStage<Boolean> ahead =
        stage.holder.lease(Stage.settings("a").withName("x")).acquire();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire();
    CompletionStage<Void> released = lease.release();

    stage.store.goOn();

    assertThat(stage.result(ahead)).isTrue();
    assertThat(stage.isDone(acquired)).isTrue();
    stage.result(released);
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).isEmpty();
  }

  @Test
  void releaseBetweenTwoTriesEndsTheAttempt() {
    Lease lease = stage.holder.lease(Stage.settings("a").withAcquireRetries(5));
    stage.otherAcquires();
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.settle();

    CompletionStage<Void> released = lease.release();

    assertThat(stage.result(acquired)).isFalse();
    stage.result(released);
    stage.otherReleases();
    stage.advance(TTL);
    assertThat(stage.holderInStore()).isEmpty();
  }

  @Test
  void releaseWhileQueuedLeavesTheQueue() {
    Lease lease = stage.lease("a");
    stage.otherAcquires();
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    stage.settle();

    CompletionStage<Void> released = lease.release();

    assertThat(stage.result(acquired)).isFalse();
    stage.result(released);
    assertThat(stage.waitersInStore()).isZero();
  }

  @Test
  void releaseWhileTheQueueIsBeingLeftWaitsForThat() {
    Lease lease = stage.lease("a");
    stage.otherAcquires();
    CompletionStage<Boolean> acquired = lease.acquire(Duration.ofSeconds(1));
    stage.settle();
    stage.store.holdBack();
    stage.advance(Duration.ofSeconds(1));
    stage.otherReleases();

    CompletionStage<Void> released = lease.release();
    assertThat(stage.isDone(released)).isFalse();
    stage.store.goOn();

    assertThat(stage.result(acquired)).isFalse();
    stage.result(released);
    assertThat(stage.holderInStore()).isEmpty();
    assertThat(lease.checkAlive()).isFalse();
  }

  @Test
  void releaseWhileAHoldIsConfirmedEndsIt() {
    Lease lease = stage.held();
    stage.store.holdBack();
    CompletionStage<Boolean> confirmed = lease.acquire();
    CompletionStage<Void> released = lease.release();
    assertThat(lease.checkAlive()).isFalse();

    stage.store.goOn();

    assertThat(stage.result(confirmed)).isTrue();
    stage.result(released);
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).isEmpty();
    stage.assertNothingLost();
  }

  @Test
  void releaseOfAnAcquireWithoutAnAnswerIsUnknown() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    CompletionStage<Void> released = lease.release();

    stage.advance(HolderSide.REQUEST_TIMEOUT);

    assertThat(stage.failure(acquired)).isInstanceOf(LeaseIndeterminateException.class);
    assertThat(stage.failure(released)).isInstanceOf(LeaseIndeterminateException.class);
    stage.store.goOn();
    assertThat(stage.holderInStore()).isEmpty();
  }

  /** CASES.md, 38, in small: the random loop is in {@link ChurnTest}. */
  @Test
  void releasedLeaseIsNotRenewed() {
    Lease lease = stage.held();
    stage.result(lease.release());

    stage.advance(TTL.multipliedBy(10));

    assertThat(stage.holderInStore()).isEmpty();
    assertThat(stage.holder.node().pace().intervalNanos())
        .isEqualTo(HolderSide.SESSION_TTL.dividedBy(3).toNanos());
  }
}
