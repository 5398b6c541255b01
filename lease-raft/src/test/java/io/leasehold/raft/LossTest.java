package io.leasehold.raft;

import static io.leasehold.raft.Stage.INTERVAL;
import static io.leasehold.raft.Stage.LIFE;
import static io.leasehold.raft.Stage.PRINTER;
import static io.leasehold.raft.Stage.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.Subscription;
import io.leasehold.raft.ManualStore.Proposal;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Each loss is found once, whoever tells it first, and told once. */
final class LossTest {

  private final Stage stage = new Stage();

  /** CASES.md, 104, 14. */
  @Test
  void revocationIsToldAtOnceAndConfirmed() {
    Lease lease = stage.held();

    stage.otherRevokes();

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.REVOKED);
    assertThat(stage.losses.get(0).message()).contains("maintenance");
    assertThat(stage.holderInStore()).as("confirmed, so free").isEmpty();
  }

  /** CASES.md, 35: whatever ends a hold gives its reason. */
  @Test
  void takeoverByANewerSessionOfTheSameOwnerIsToldAsSuch() {
    Lease lease = stage.held();

    Reply reply =
        stage.otherDoes(new Command.Acquire(PRINTER, "a", TTL.toNanos(), 99, false, true));

    // The other node's session is older than this one's: it may not reclaim.
    assertThat(reply).isInstanceOf(Reply.HeldByOther.class);
    assertThat(lease.checkAlive()).isTrue();
    ManualStore.OtherNode newer = stage.store.new OtherNode("n3", 7);
    newer.does(new Command.Acquire(PRINTER, "a", TTL.toNanos(), 1, false, true));
    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.TAKEN_OVER);
    assertThat(stage.losses.get(0).message()).contains("'a'", "n3");
  }

  /** The store's clock may be ahead of what this node believes. */
  @Test
  void expiryInTheStoreIsToldAsSuch() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.standStill(TTL);
    stage.store.expireDue();

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.EXPIRED);
  }

  @Test
  void lossThatManyTellIsToldOnce() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.standStill(TTL);
    stage.store.expireDue();
    stage.otherAcquires();
    stage.store.goOn();
    stage.advance(TTL.multipliedBy(3));

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.EXPIRED);
  }

  /** CASES.md, 62: late news of an older hold. */
  @Test
  void newsOfAnOlderHoldLeavesTheNewerOneAlone() {
    Lease lease = stage.held();
    stage.store.tellLater();
    stage.otherRevokes();
    stage.advance(INTERVAL);
    stage.assertLost(LeaseLost.Reason.REVOKED);
    assertThat(stage.result(lease.acquire())).isTrue();

    stage.store.tell();

    assertThat(lease.checkAlive()).isTrue();
    stage.advance(TTL);
    assertThat(lease.checkAlive()).isTrue();
    stage.assertLost(LeaseLost.Reason.REVOKED);
  }

  /** News can be faster than the answer that the grant comes with. */
  @Test
  void grantThatIsRevokedBeforeItsAnswerArrivesIsNeverBelievedIn() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    Proposal proposal = stage.store.next();
    BatchReply granted = proposal.apply();
    long revoked = stage.tokenInStore();
    stage.otherRevokes();

    proposal.answer(granted);

    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.isDone(acquired)).isFalse();
    stage.store.goOn();
    assertThat(stage.result(acquired)).as("asked again").isTrue();
    assertThat(lease.fencingToken().orElseThrow()).isGreaterThan(revoked);
    assertThat(lease.fencingToken()).hasValue(stage.tokenInStore());
    stage.assertNothingLost();
  }

  /** CASES.md, 23. */
  @Test
  void whatWasNeverHeldIsNeverLost() {
    Lease lease = stage.lease("a");
    stage.otherAcquires();
    assertThat(stage.result(lease.acquire())).isFalse();
    stage.store.holdBack();
    stage.advance(HolderSide.SESSION_TTL.multipliedBy(2));
    stage.store.goOn();
    stage.result(stage.holder.close());

    stage.assertNothingLost();
  }

  /** CASES.md, 32. */
  @Test
  void handlerThatIsRegisteredAfterTheLossHearsOfTheNextOneOnly() {
    Lease lease = stage.held();
    stage.otherRevokes();
    List<LeaseLost> late = new ArrayList<>();
    lease.onLost(late::add);
    stage.settle();
    assertThat(late).isEmpty();

    assertThat(stage.result(lease.acquire())).isTrue();
    stage.otherRevokes();
    stage.settle();

    assertThat(late).hasSize(1);
    assertThat(stage.losses).hasSize(2);
  }

  /** CASES.md, 34. */
  @Test
  void handlersMayUnsubscribeThemselvesAndOthersAndAddMore() {
    Lease lease = stage.held();
    List<String> called = new ArrayList<>();
    List<Subscription> subscriptions = new ArrayList<>();
    subscriptions.add(
        lease.onLost(
            lost -> {
              called.add("first");
              subscriptions.forEach(Subscription::close);
              lease.onLost(next -> called.add("added"));
            }));
    subscriptions.add(lease.onLost(lost -> called.add("second")));

    stage.otherRevokes();
    stage.settle();
    assertThat(called).containsExactly("first", "second");
    assertThat(stage.result(lease.acquire())).isTrue();
    stage.otherRevokes();
    stage.settle();

    assertThat(called).containsExactly("first", "second", "added");
  }

  @Test
  void handlerThatThrowsDisturbsNoOther() {
    Lease lease = stage.holder.lease(Stage.settings("a"));
    lease.onLost(
        lost -> {
          throw new IllegalStateException("as handlers may");
        });
    List<LeaseLost> losses = new ArrayList<>();
    lease.onLost(losses::add);
    assertThat(stage.result(lease.acquire())).isTrue();

    stage.otherRevokes();
    stage.settle();

    assertThat(losses).hasSize(1);
  }

  /** CASES.md, 28. */
  @Test
  void handlerMayRelease() {
    Lease lease = stage.held();
    List<CompletionStage<Void>> released = new ArrayList<>();
    lease.onLost(lost -> released.add(lease.release()));

    stage.otherRevokes();
    stage.settle();

    stage.result(released.get(0));
    stage.assertLost(LeaseLost.Reason.REVOKED);
    assertThat(stage.holderInStore()).isEmpty();
  }

  /** CASES.md, 46. */
  @Test
  void handlerMayAcquireAgain() {
    Lease lease = stage.held();
    List<CompletionStage<Boolean>> acquired = new ArrayList<>();
    lease.onLost(lost -> acquired.add(lease.acquire()));

    stage.otherRevokes();
    stage.settle();

    assertThat(stage.result(acquired.get(0))).isTrue();
    assertThat(lease.checkAlive()).isTrue();
  }

  @Test
  void handlerKeepsItsHoldObservedWhenTheHandleIsDropped() {
    stage.held();
    System.gc();

    stage.otherRevokes();

    stage.assertLost(LeaseLost.Reason.REVOKED);
  }

  /** CORRECTNESS.md, P10: a suspend may stop the clock that deadlines are read from. */
  @Test
  void clockThatCannotBeTrustedEndsAllHolds() {
    Lease lease = stage.held();

    stage.holder.distrustClock();

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
    assertThat(stage.holderInStore()).as("given back").isEmpty();
    assertThat(stage.result(lease.acquire())).isTrue();
  }

  /** How long ago it was asked for, the clock that stood still does not tell. */
  @Test
  void acquireThatWasUnderWayWhileTheClockStoodStillIsNoHold() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.settle();

    stage.holder.distrustClock();
    stage.store.goOn();

    assertThat(stage.failure(acquired)).isInstanceOf(LeaseIndeterminateException.class);
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).as("given back").isEmpty();
    assertThat(stage.result(lease.acquire())).isTrue();
    stage.assertNothingLost();
  }

  @Test
  void handOverBeforeTheFirstRenewalAfterTheClockStoodStillIsNoHold() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(TTL);
    stage.settle();

    stage.holder.distrustClock();
    stage.otherReleases();

    assertThat(stage.failure(acquired)).isInstanceOf(LeaseIndeterminateException.class);
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).as("given back").isEmpty();
  }

  @Test
  void onlyTheLeasesWhoseDeadlineHasPassedAreLost() {
    Lease brief = stage.held();
    Lease lasting =
        stage.holder.lease(Stage.settings("a").withName("lasting").withTtl(Duration.ofSeconds(30)));
    assertThat(stage.result(lasting.acquire())).isTrue();
    stage.store.holdBack();

    stage.advance(LIFE);

    assertThat(brief.checkAlive()).isFalse();
    assertThat(lasting.checkAlive()).isTrue();
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
    stage.store.goOn();
    assertThat(lasting.checkAlive()).isTrue();
    stage.advance(Duration.ofMinutes(1));
    assertThat(lasting.checkAlive()).isTrue();
  }
}
