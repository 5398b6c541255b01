package io.leasehold.raft;

import static io.leasehold.raft.Stage.LIFE;
import static io.leasehold.raft.Stage.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.raft.ManualStore.Proposal;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.Command;
import io.leasehold.store.core.Limits;
import io.leasehold.store.core.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Waiting in a lease's queue, and being handed the lease. */
final class QueueTest {

  private static final Duration HOUR = Duration.ofHours(1);

  /** A second piece of news is one too many. */
  private static final Limits ONE_NEWS = new Limits(2_000, 100, 1_000, 100, 1);

  private final Stage stage = new Stage();

  @Test
  void waiterIsGrantedByTheCommandThatFreesTheLease() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    assertThat(stage.isDone(acquired)).isFalse();

    stage.otherReleases();

    assertThat(stage.result(acquired)).isTrue();
    assertThat(lease.fencingToken()).hasValue(stage.tokenInStore());
    stage.result(lease.release());
    assertThat(stage.holderInStore()).isEmpty();
  }

  /** The grantee sent nothing when it was granted: its last renewal counts. */
  @Test
  void deadlineOfAHandOverCountsFromTheLastRenewal() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    stage.advance(Duration.ofMillis(700));

    stage.otherReleases();

    assertThat(stage.result(acquired)).isTrue();
    assertThat(lease.remaining()).isEqualTo(LIFE.minusMillis(700));
  }

  /** A hand-over can be heard of before the answer that there is a place in the queue. */
  @Test
  void handOverThatIsHeardOfBeforeTheAnswerIsAGrant() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    Proposal proposal = stage.store.next();
    BatchReply queued = proposal.apply();
    stage.otherReleases();
    assertThat(stage.isDone(acquired)).isFalse();

    proposal.answer(queued);

    assertThat(stage.result(acquired)).isTrue();
    assertThat(lease.checkAlive()).isTrue();
  }

  /** The watch is only faster; the next reply tells it all again. */
  @Test
  void handOverThatTheReplicaDoesNotTellComesWithTheNextReply() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    stage.store.tellLater();
    stage.otherReleases();
    assertThat(stage.isDone(acquired)).isFalse();

    stage.advance(Stage.INTERVAL);

    assertThat(stage.result(acquired)).isTrue();
    assertThat(lease.checkAlive()).isTrue();
  }

  @Test
  void handOverToldByAReplicaThatIsBehindRevivesNothing() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> first = lease.acquire(HOUR);
    stage.store.tellLater();
    stage.otherReleases();
    stage.advance(Stage.INTERVAL);
    assertThat(stage.result(first)).isTrue();
    stage.result(lease.release());
    stage.otherAcquires();
    CompletionStage<Boolean> second = lease.acquire(HOUR);

    stage.store.tell();

    assertThat(stage.isDone(second)).isFalse();
    assertThat(lease.checkAlive()).isFalse();
    stage.otherReleases();
    assertThat(stage.result(second)).isTrue();
  }

  /** CASES.md, 2, for a hand-over. */
  @Test
  void handOverThatIsHeardOfAfterItsDeadlineIsGivenBack() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    stage.store.tellLater();
    stage.store.holdBack();
    stage.otherReleases();
    stage.advance(LIFE);

    assertThat(stage.failure(acquired)).isInstanceOf(LeaseIndeterminateException.class);
    stage.store.tell();
    assertThat(lease.checkAlive()).isFalse();
    stage.store.goOn();
    assertThat(stage.holderInStore()).isEmpty();
    stage.assertNothingLost();
  }

  /**
   * CASES.md, 1, 58, 64: a waiter that was silent for its ttl is granted nothing and learns of it.
   */
  @Test
  void waiterThatWasSilentForItsTtlIsSkippedAndTold() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    stage.settle();
    stage.store.holdBack();
    stage.advance(TTL);
    stage.otherRenews();
    stage.otherReleases();

    assertThat(stage.holderInStore()).isEmpty();
    assertThat(stage.failure(acquired)).isInstanceOf(LeaseException.class);
    stage.store.goOn();
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).isEmpty();
    stage.assertNothingLost();
  }

  @Test
  void waitThatIsOverLeavesTheQueueAndIsRefused() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(Duration.ofMillis(1_500));
    stage.advance(Duration.ofMillis(1_500).minusNanos(1));
    stage.otherRenews();
    assertThat(stage.isDone(acquired)).isFalse();

    stage.advance(Duration.ofNanos(1));

    assertThat(stage.result(acquired)).isFalse();
    assertThat(stage.waitersInStore()).isZero();
  }

  /** CASES.md, 57: the grant may have been made when the wait is over. */
  @Test
  void handOverThatCrossesTheLeavingIsUndone() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(Duration.ofMillis(1_500));
    stage.settle();
    stage.store.tellLater();
    stage.advance(Duration.ofMillis(1_400));
    stage.otherReleases();

    stage.advance(Duration.ofMillis(100));
    stage.store.tell();

    assertThat(stage.result(acquired)).isFalse();
    assertThat(lease.checkAlive()).isFalse();
    assertThat(stage.holderInStore()).isEmpty();
    stage.assertNothingLost();
  }

  /** CASES.md, 57, 59. */
  @Test
  void cancellingLeavesTheQueue() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    stage.settle();

    acquired.toCompletableFuture().cancel(false);

    assertThat(stage.waitersInStore()).isZero();
    stage.otherReleases();
    assertThat(stage.holderInStore()).isEmpty();
  }

  @Test
  void cancellingOneOfTwoCallsKeepsThePlace() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> first = lease.acquire(HOUR);
    CompletionStage<Boolean> second = lease.acquire(HOUR);
    stage.settle();

    first.toCompletableFuture().cancel(false);
    assertThat(stage.waitersInStore()).isEqualTo(1);
    stage.otherReleases();

    assertThat(stage.result(second)).isTrue();
    assertThat(lease.checkAlive()).isTrue();
  }

  @Test
  void callThatDoesNotWaitIsRefusedByARoundTripAndKeepsThePlaceOfOthers() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> waiting = lease.acquire(HOUR);
    stage.settle();
    stage.store.holdBack();

    CompletionStage<Boolean> now = lease.acquire();
    assertThat(stage.isDone(now)).as("without a round trip").isFalse();
    CompletionStage<Boolean> alsoWaiting = lease.acquire(HOUR);
    assertThat(stage.isDone(now)).as("because another call came").isFalse();
    stage.store.goOn();

    assertThat(stage.result(now)).isFalse();
    assertThat(stage.waitersInStore()).isEqualTo(1);
    stage.otherReleases();
    assertThat(stage.result(waiting)).isTrue();
    assertThat(stage.result(alsoWaiting)).isTrue();
  }

  @Test
  void queueIsLeftWhenTheLastCallThatWaitsIsCancelled() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> waiting = lease.acquire(HOUR);
    stage.settle();
    stage.store.holdBack();
    CompletionStage<Boolean> now = lease.acquire();

    waiting.toCompletableFuture().cancel(false);
    stage.store.goOn();

    assertThat(stage.result(now)).isFalse();
    assertThat(stage.waitersInStore()).isZero();
    stage.otherReleases();
    assertThat(stage.holderInStore()).isEmpty();
  }

  @Test
  void callThatIsCancelledWhileItWaitsForAnEarlierOneToLeaveNeverQueues() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> first = lease.acquire(Duration.ofSeconds(1));
    stage.settle();
    stage.store.holdBack();
    stage.advance(Duration.ofSeconds(1));
    CompletionStage<Boolean> second = lease.acquire(HOUR);

    second.toCompletableFuture().cancel(false);
    stage.store.goOn();

    assertThat(stage.result(first)).isFalse();
    assertThat(stage.waitersInStore()).isZero();
  }

  @Test
  void handOverThatIsRevokedBeforeTheAnswerIsNoGrant() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    Proposal proposal = stage.store.next();
    BatchReply queued = proposal.apply();
    stage.otherReleases();
    long revoked = stage.tokenInStore();
    stage.otherRevokes();
    stage.otherAcquires(true);

    proposal.answer(queued);
    stage.settle();
    assertThat(lease.checkAlive()).isFalse();
    stage.store.goOn();

    assertThat(stage.holderInStore()).as("first come").hasValue("other");
    assertThat(stage.isDone(acquired)).isFalse();
    stage.otherReleases();
    assertThat(stage.result(acquired)).isTrue();
    assertThat(lease.fencingToken().orElseThrow()).isGreaterThan(revoked);
  }

  /**
   * A node that waits for many leases may be handed more at once than the store keeps news of, and
   * its own replica may be behind.
   */
  @Test
  void handOversThatAreTooManyToBeToldAreFoundByComparing() {
    Stage crowded = new Stage(new Limits(2_000, 100, 1_000, 100, 10));
    List<Lease> leases = new ArrayList<>();
    List<CompletionStage<Boolean>> answers = new ArrayList<>();
    List<Reply.Granted> grants = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String name = "lease-" + i;
      grants.add(
          (Reply.Granted)
              crowded.otherDoes(
                  new Command.Acquire(name, "other", TTL.toNanos(), i + 1, false, false)));
      Lease lease = crowded.holder.lease(Stage.settings("a").withName(name));
      leases.add(lease);
      answers.add(lease.acquire(HOUR));
    }
    crowded.settle();
    crowded.store.tellLater();
    for (int i = 0; i < 20; i++) {
      crowded.otherDoes(new Command.Release("lease-" + i, grants.get(i).token()));
    }

    crowded.advance(Stage.INTERVAL);

    answers.forEach(answer -> assertThat(crowded.result(answer)).isTrue());
    leases.forEach(lease -> assertThat(lease.checkAlive()).isTrue());
    crowded.store.tell();
    leases.forEach(lease -> assertThat(lease.checkAlive()).isTrue());
    assertThat(crowded.store.table().state().leases()).isEqualTo(20);
    crowded.assertNothingLost();
  }

  /** Nothing of the hand-over is left in the store, and nothing was told of it. */
  @Test
  void waiterWhoseHandOverWasRevokedUntoldAsksAgain() {
    Stage crowded = new Stage(ONE_NEWS);
    crowded.otherAcquires();
    Lease lease = crowded.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    crowded.settle();
    crowded.store.tellLater();
    crowded.otherReleases();
    crowded.otherDoes(new Command.Revoke(Stage.PRINTER, crowded.tokenInStore(), "now", true));
    assertThat(crowded.otherAcquires()).isInstanceOf(Reply.Granted.class);

    crowded.advance(Stage.INTERVAL);

    assertThat(crowded.waitersInStore()).isEqualTo(1);
    crowded.otherReleases();
    crowded.advance(Stage.INTERVAL);
    assertThat(crowded.result(acquired)).isTrue();
    assertThat(lease.checkAlive()).isTrue();
    crowded.assertNothingLost();
  }

  /** The safe form: the store waits for this node to confirm. */
  @Test
  void waiterWhoseHandOverIsBeingRevokedUntoldConfirmsAndAsksAgain() {
    Stage crowded = new Stage(ONE_NEWS);
    crowded.otherAcquires();
    Lease lease = crowded.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    crowded.settle();
    crowded.store.tellLater();
    crowded.otherReleases();
    long revoked = crowded.tokenInStore();
    crowded.otherDoes(new Command.Revoke(Stage.PRINTER, revoked, "maintenance", false));

    crowded.advance(Stage.INTERVAL);

    assertThat(crowded.result(acquired)).isTrue();
    assertThat(lease.checkAlive()).isTrue();
    assertThat(lease.fencingToken().orElseThrow()).isGreaterThan(revoked);
    crowded.assertNothingLost();
  }

  @Test
  void comparingKeepsThePlacesThatAreThere() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    stage.settle();
    stage.otherDoes(
        new Command.Acquire(Stage.PRINTER, "second", TTL.toNanos(), 1_000, true, false));

    stage.store.replace();
    stage.otherReleases();

    assertThat(stage.result(acquired)).as("first come").isTrue();
  }

  @Test
  void sessionThatEndsTakesThePlaceWithIt() {
    stage.otherAcquires();
    Lease lease = stage.lease("a");
    CompletionStage<Boolean> acquired = lease.acquire(HOUR);
    stage.settle();
    stage.store.apply(Batch.of(stage.session(), 1_000, List.of(new Command.CloseSession())));

    assertThat(stage.failure(acquired)).isInstanceOf(LeaseIndeterminateException.class);
    stage.otherReleases();
    assertThat(stage.holderInStore()).isEmpty();
    assertThat(stage.result(lease.acquire())).isTrue();
    stage.assertNothingLost();
  }
}
