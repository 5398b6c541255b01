package io.leasehold.raft;

import static io.leasehold.raft.Stage.LIFE;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.raft.ManualStore.Proposal;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** From the call of acquire to its answer. */
final class AcquireTest {

  private final Stage stage = new Stage();

  /** CORRECTNESS.md, P7. */
  @Test
  void deadlineCountsFromTheFirstHandOverHoweverOftenItIsSent() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.advance(Duration.ofSeconds(1));

    List<Proposal> copies = stage.store.arrived();
    copies.get(copies.size() - 1).applyAndAnswer();

    assertThat(copies.size()).isGreaterThan(1);
    assertThat(stage.result(acquired)).isTrue();
    assertThat(lease.remaining()).isEqualTo(LIFE.minusSeconds(1));
  }

  /** CASES.md, 2. */
  @Test
  void answerAtTheDeadlineItWouldGiveIsNoGrant() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.advance(LIFE);
    stage.store.next().applyAndAnswer();

    assertThat(stage.failure(acquired)).isInstanceOf(LeaseIndeterminateException.class);
    assertThat(lease.checkAlive()).isFalse();
    stage.store.goOn();
    assertThat(stage.holderInStore()).as("it was given back").isEmpty();
    stage.assertNothingLost();
  }

  @Test
  void answerJustBeforeTheDeadlineItGivesIsAGrant() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.advance(LIFE.minusNanos(1));
    stage.store.next().applyAndAnswer();

    assertThat(stage.result(acquired)).isTrue();
    assertThat(lease.checkAlive()).isTrue();
    stage.advance(Duration.ofNanos(1));
    assertThat(lease.checkAlive()).isFalse();
  }

  /** CASES.md, 111: independent of what the engine remembers. */
  @Test
  void copiesOfABatchThatAreAppliedLaterChangeNothing() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.advance(Duration.ofSeconds(1));
    Proposal first = stage.store.next();
    Proposal second = stage.store.next();
    first.applyAndAnswer();
    stage.store.goOn();
    assertThat(stage.result(acquired)).isTrue();
    long token = stage.tokenInStore();

    second.applyAndAnswer();
    assertThat(stage.tokenInStore()).isEqualTo(token);
    stage.result(lease.release());
    stage.advance(Duration.ofMinutes(10));
    first.applyAndAnswer();
    second.applyAndAnswer();

    assertThat(stage.holderInStore()).isEmpty();
    stage.assertNothingLost();
  }

  /** CASES.md, 122. */
  @Test
  void refusalLeavesNoTrace() {
    Lease lease = stage.lease("a");
    stage.otherAcquires();

    assertThat(stage.result(lease.acquire())).isFalse();

    assertThat(lease.checkAlive()).isFalse();
    assertThat(lease.fencingToken()).isEmpty();
    assertThat(lease.remaining()).isZero();
    assertThat(stage.waitersInStore()).isZero();
    assertThat(stage.holder.node().holds().all()).isEmpty();
    stage.assertNothingLost();
  }

  /** CASES.md, 16: only what the store has applied for this very call counts. */
  @Test
  void retryThatAnotherContenderForestallsIsRefused() {
    Lease lease = stage.holder.lease(Stage.settings("a").withAcquireRetries(2));
    stage.otherAcquires();
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.settle();
    stage.otherReleases();
    stage.otherAcquires();

    stage.advance(Duration.ofMillis(100));

    assertThat(stage.result(acquired)).isFalse();
    assertThat(lease.checkAlive()).isFalse();
  }

  @Test
  void retryIsMadeAfterTheDelayAndNotBefore() {
    LeaseSettings settings =
        Stage.settings("a").withAcquireRetries(2).withAcquireRetryDelay(Duration.ofMillis(300));
    Lease lease = stage.holder.lease(settings);
    stage.otherAcquires();
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.settle();
    stage.otherReleases();

    stage.advance(Duration.ofMillis(300).minusNanos(1));
    assertThat(stage.isDone(acquired)).isFalse();
    stage.advance(Duration.ofNanos(1));

    assertThat(stage.result(acquired)).isTrue();
  }

  /** CASES.md, 57: the undo after the grant. */
  @Test
  void grantThatComesAfterTheCallTimedOutIsUndone() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.advance(HolderSide.REQUEST_TIMEOUT);
    assertThat(stage.failure(acquired)).isInstanceOf(LeaseIndeterminateException.class);

    Proposal late = stage.store.next();
    late.apply();
    assertThat(stage.holderInStore()).hasValue("a");
    stage.store.goOn();

    assertThat(stage.holderInStore()).isEmpty();
    assertThat(stage.otherAcquires()).isInstanceOf(Reply.Granted.class);
    stage.assertNothingLost();
  }

  /** CASES.md, 57: the undo before the grant: what never left is taken back. */
  @Test
  void callThatTimesOutBeforeItIsSentHasCertainlyNoEffect() {
    stage.store.holdBack();
    CompletionStage<Boolean> first = stage.lease("a").acquire();
    CompletionStage<Boolean> behind = stage.lease("b").acquire();

    stage.advance(HolderSide.REQUEST_TIMEOUT);
    stage.store.goOn();

    assertThat(stage.failure(first)).isInstanceOf(LeaseIndeterminateException.class);
    assertThat(stage.failure(behind)).isInstanceOf(LeaseUnavailableException.class);
    assertThat(stage.store.seen())
        .flatExtracting(Proposal::commands)
        .filteredOn(Command.Acquire.class::isInstance)
        .extracting(command -> ((Command.Acquire) command).owner())
        .containsOnly("a");
    assertThat(stage.holderInStore()).isEmpty();
  }

  /** CASES.md, 101. */
  @Test
  void callsOnHandlesOfOneHoldShareOneAttempt() {
    Lease one = stage.lease("a");
    Lease other = stage.holder.lease(Stage.settings("a"));
    stage.store.holdBack();
    List<CompletionStage<Boolean>> answers = List.of(one.acquire(), one.acquire(), other.acquire());
    stage.store.next().applyAndAnswer();

    answers.forEach(answer -> assertThat(stage.result(answer)).isTrue());

    assertThat(stage.store.arrived()).isEmpty();
    assertThat(other.fencingToken()).isEqualTo(one.fencingToken());
  }

  /** CASES.md, 37, 29: a completion is no part of what completes it. */
  @Test
  void stagesCompleteOnTheCallbackExecutor() {
    Lease lease = stage.lease("a");
    List<Lease> acquiredInside = new ArrayList<>();

    CompletableFuture<Boolean> acquired = lease.acquire().toCompletableFuture();
    assertThat(stage.holderInStore()).as("the grant is applied").hasValue("a");
    assertThat(acquired).isNotDone();
    CompletionStage<Boolean> second =
        acquired.thenCompose(
            granted -> {
              Lease next = stage.holder.lease(Stage.settings("a").withName("scanner"));
              acquiredInside.add(next);
              return next.acquire();
            });

    assertThat(stage.result(second)).isTrue();
    assertThat(acquiredInside.get(0).checkAlive()).isTrue();
  }

  @Test
  void acquiresBeyondTheLimitOfWhatMayWaitAreRefusedAndReleasesAreNot() {
    Lease held = stage.held();
    stage.store.holdBack();
    CompletionStage<Boolean> inFlight = stage.holder.lease(named("in flight")).acquire();
    List<CompletionStage<Boolean>> waiting = new ArrayList<>();
    for (int i = 0; i < HolderSide.CALLS_MAX; i++) {
      waiting.add(stage.holder.lease(named("waits-" + i)).acquire());
    }
    CompletionStage<Boolean> refused = stage.holder.lease(named("too many")).acquire();
    CompletionStage<Void> released = held.release();

    assertThat(stage.failure(refused)).isInstanceOf(LeaseUnavailableException.class);
    stage.store.goOn();
    assertThat(stage.result(inFlight)).isTrue();
    stage.advance(Stage.A_MOMENT);
    waiting.forEach(answer -> assertThat(stage.result(answer)).isTrue());
    stage.result(released);
    assertThat(stage.store.table().lease("too many")).isEmpty();
  }

  private static LeaseSettings named(String name) {
    return Stage.settings("a").withName(name);
  }

  @Test
  void whatTheStoreRefusesFailsWithItsReason() {
    Stage small = new Stage(new Limits(100, 100, 1, 100, 100));
    small.held();

    Throwable failure = small.failure(small.holder.lease(named("second")).acquire());

    assertThat(failure).isInstanceOf(LeaseUnavailableException.class);
    assertThat(failure).hasMessageContaining("limit");
  }

  /** CASES.md, 13, 53: a renewal of what is gone is a definite no. */
  @Test
  void confirmingWhatTheStoreHasEndedIsALossAndANewGrant() {
    Lease lease = stage.held();
    long token = lease.fencingToken().orElseThrow();
    stage.store.tellLater();
    stage.otherRevokes();

    CompletionStage<Boolean> confirmed = lease.acquire();

    assertThat(stage.result(confirmed)).isTrue();
    stage.assertLost(LeaseLost.Reason.REVOKED);
    assertThat(lease.fencingToken().orElseThrow()).isGreaterThan(token);
    assertThat(lease.fencingToken()).hasValue(stage.tokenInStore());
  }

  @Test
  void callThatItsOwnerTimesOutIsWithdrawn() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");

    CompletableFuture<Boolean> waiting = lease.acquire(Duration.ofHours(1)).toCompletableFuture();
    stage.settle();
    assertThat(stage.waitersInStore()).isEqualTo(1);
    waiting.completeExceptionally(new TimeoutException("as orTimeout does"));

    assertThat(stage.waitersInStore()).isZero();
  }
}
