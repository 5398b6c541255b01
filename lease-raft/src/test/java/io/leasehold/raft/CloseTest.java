package io.leasehold.raft;

import static io.leasehold.raft.Stage.INTERVAL;
import static io.leasehold.raft.Stage.LIFE;
import static io.leasehold.raft.Stage.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.raft.ManualStore.Proposal;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The end of a node's part. */
final class CloseTest {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Stage stage = new Stage();

  @Test
  void allLeasesOfTheNodeAreReleasedByOneCommand() {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Lease lease = stage.holder.lease(Stage.settings("a").withName("lease-" + i));
      lease.onLost(stage.losses::add);
      assertThat(stage.result(lease.acquire())).isTrue();
      leases.add(lease);
    }
    int before = stage.store.seen().size();

    assertThat(stage.result(stage.holder.close())).isTrue();

    assertThat(stage.store.seen()).hasSize(before + 1);
    assertThat(stage.store.table().state().leases()).isZero();
    assertThat(stage.store.table().state().sessions()).as("only the other node's").isEqualTo(1);
    leases.forEach(lease -> assertThat(lease.checkAlive()).isFalse());
    stage.assertNothingLost();
  }

  @Test
  void holdsAreOverBeforeTheCommandIsSent() {
    Lease lease = stage.held();
    stage.store.holdBack();

    CompletableFuture<Boolean> closed = stage.holder.close();

    assertThat(lease.checkAlive()).isFalse();
    assertThat(closed).isNotDone();
    stage.store.goOn();
    assertThat(stage.result(closed)).isTrue();
  }

  /** CASES.md, 65. */
  @Test
  void closeWithoutAQuorumIsBoundedAndItsHoldsAreLost() {
    Lease lease = stage.held();
    stage.store.holdBack();
    CompletableFuture<Boolean> closed = stage.holder.close();
    stage.advance(HolderSide.CLOSE_TIMEOUT.minusNanos(1));
    assertThat(closed).isNotDone();

    stage.advance(Duration.ofNanos(1));

    assertThat(stage.result(closed)).isFalse();
    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.CLOSED);
    int sent = stage.store.seen().size();
    stage.advance(Duration.ofMinutes(1));
    assertThat(stage.store.seen()).as("nothing is sent any more").hasSize(sent);
  }

  /** CASES.md, 61. */
  @Test
  void acquireInFlightFailsAndLeavesNothingHeld() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();

    CompletableFuture<Boolean> closed = stage.holder.close();
    stage.store.goOn();

    assertThat(stage.result(closed)).isTrue();
    assertThat(stage.failure(acquired)).isInstanceOf(LeaseException.class);
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).isEmpty();
    stage.assertNothingLost();
  }

  /** A call that waits for an earlier one of the same hold must not begin during the shutdown. */
  @Test
  void acquireThatWaitsForAnotherToLeaveFailsAndLeavesNothingHeld() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> leaving = lease.acquire(Duration.ofSeconds(1));
    stage.settle();
    stage.store.holdBack();
    stage.advance(Duration.ofSeconds(1));
    CompletionStage<Boolean> behind = lease.acquire(HOUR);
    stage.otherReleases();

    CompletableFuture<Boolean> closed = stage.holder.close();
    stage.store.goOn();

    assertThat(stage.result(closed)).isTrue();
    assertThat(stage.failure(leaving)).isInstanceOf(LeaseException.class);
    assertThat(stage.failure(behind)).isInstanceOf(LeaseUnavailableException.class);
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).isEmpty();
  }

  @Test
  void waitersFailAndLeaveTheQueue() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    stage.settle();

    assertThat(stage.result(stage.holder.close())).isTrue();

    assertThat(stage.failure(acquired)).isInstanceOf(LeaseUnavailableException.class);
    assertThat(stage.waitersInStore()).isZero();
    assertThat(stage.holderInStore()).hasValue("other");
  }

  /** What a waiter was granted without hearing of it was an effect, though it does not last. */
  @Test
  void waiterThatMayHaveBeenGrantedIsNotToldThatNothingHappened() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    stage.settle();
    stage.store.tellLater();
    stage.otherReleases();

    assertThat(stage.result(stage.holder.close())).isTrue();

    assertThat(stage.failure(acquired)).isInstanceOf(LeaseIndeterminateException.class);
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).isEmpty();
    stage.assertNothingLost();
  }

  @Test
  void waiterThatIsLeavingMayHaveBeenGrantedToo() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(Duration.ofSeconds(1));
    stage.settle();
    stage.store.tellLater();
    stage.store.holdBack();
    stage.advance(Duration.ofSeconds(1));
    stage.otherReleases();

    CompletableFuture<Boolean> closed = stage.holder.close();
    stage.store.goOn();

    assertThat(stage.result(closed)).isTrue();
    assertThat(stage.failure(acquired)).isInstanceOf(LeaseIndeterminateException.class);
    assertThat(stage.holderInStore()).isEmpty();
  }

  @Test
  void waiterOfANodeThatIsCutOffDoesNotKnow() {
    stage.otherAcquires();
    CompletionStage<Boolean> acquired = stage.lease("a").acquire(HOUR);
    stage.settle();
    stage.store.holdBack();

    CompletableFuture<Boolean> closed = stage.holder.close();
    stage.advance(HolderSide.CLOSE_TIMEOUT);

    assertThat(stage.result(closed)).isFalse();
    assertThat(stage.failure(acquired)).isInstanceOf(LeaseIndeterminateException.class);
  }

  @Test
  void acquireAfterTheCloseFailsAtOnce() {
    Lease lease = stage.held();
    stage.result(stage.holder.close());

    assertThat(stage.failure(lease.acquire())).isInstanceOf(LeaseUnavailableException.class);
    assertThat(stage.failure(lease.acquire(HOUR))).isInstanceOf(LeaseUnavailableException.class);
    stage.result(lease.release());
    assertThat(lease.checkAlive()).isFalse();
  }

  /** CASES.md, 11: exactly one of released and lost. */
  @Test
  void closeOfAHoldThatIsRevokedMeanwhileIsTheEndOfIt() {
    Lease lease = stage.held();
    stage.store.holdBack();
    CompletableFuture<Boolean> closed = stage.holder.close();

    stage.otherRevokes();
    stage.store.goOn();

    assertThat(stage.result(closed)).isTrue();
    assertThat(lease.checkAlive()).isFalse();
    stage.assertNothingLost();
    assertThat(stage.holderInStore()).isEmpty();
  }

  @Test
  void lossBeforeTheCloseIsTheOnlyOne() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.advance(LIFE);

    CompletableFuture<Boolean> closed = stage.holder.close();
    stage.advance(HolderSide.CLOSE_TIMEOUT);

    assertThat(stage.result(closed)).isFalse();
    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
  }

  @Test
  void closeAfterTheDeadlineTellsTheLossThatNobodyHadNoticed() {
    Lease lease = stage.held();
    stage.standStill(LIFE);

    assertThat(stage.result(stage.holder.close())).isTrue();

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
    assertThat(stage.holderInStore()).isEmpty();
  }

  @Test
  void closeWhileARenewalIsInFlightFollowsIt() {
    Lease lease = stage.held();
    stage.store.holdBack();
    stage.advance(INTERVAL);
    Proposal renewal = stage.store.next();
    CompletableFuture<Boolean> closed = stage.holder.close();
    BatchReply reply = renewal.apply();

    renewal.answer(reply);
    Proposal closing = stage.store.next();
    closing.applyAndAnswer();

    assertThat(closing.commands()).containsExactly(new Command.CloseSession());
    assertThat(stage.result(closed)).isTrue();
    assertThat(lease.checkAlive()).isFalse();
  }

  @Test
  void releaseInFlightIsConfirmedByTheClose() {
    Lease lease = stage.held();
    stage.store.holdBack();
    CompletionStage<Void> released = lease.release();

    CompletableFuture<Boolean> closed = stage.holder.close();
    stage.store.goOn();

    stage.result(released);
    assertThat(stage.result(closed)).isTrue();
    assertThat(stage.holderInStore()).isEmpty();
  }

  @Test
  void closingTwiceIsClosingOnce() {
    stage.held();
    stage.result(stage.holder.close());
    int sent = stage.store.seen().size();

    assertThat(stage.result(stage.holder.close())).isTrue();

    stage.advance(TTL);
    assertThat(stage.store.seen()).hasSize(sent);
  }

  @Test
  void closeBeforeTheSessionIsOpenSendsNothingMore() {
    ManualStore store = new ManualStore(stage.time);
    store.holdBack();
    HolderSide holder =
        new HolderSide(
            store,
            stage.time,
            stage.time,
            callback -> stage.time.schedule(Duration.ZERO, callback),
            () -> new SessionId(5, 5),
            HolderSide.Patience.USUAL);
    CompletionStage<Boolean> acquired = holder.lease(Stage.settings("a")).acquire();
    store.next().reject();

    CompletableFuture<Boolean> closed = holder.close();
    stage.advance(HolderSide.CLOSE_TIMEOUT);

    assertThat(stage.result(closed)).isTrue();
    assertThat(stage.failure(acquired)).isInstanceOf(LeaseUnavailableException.class);
  }
}
