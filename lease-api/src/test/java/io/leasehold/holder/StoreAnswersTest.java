package io.leasehold.holder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.Lease;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.contract.Losses;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the holder's side makes of each answer of a store, and of none. */
final class StoreAnswersTest {

  private static final Duration NANO = Duration.ofNanos(1);
  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration TRUST = Duration.ofSeconds(8);
  private static final Duration INTERVAL = Duration.ofSeconds(3);
  private static final Duration REPEAT = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofSeconds(2);
  private static final LeaseSettings PRINTER =
      LeaseSettings.of("printer", "a", TTL).withRenewalInterval(INTERVAL).withAcquireRetries(1);
  private final RuntimeException broken = new IllegalStateException("broken");

  private final VirtualTime time = new VirtualTime();
  private final ScriptedStore store = new ScriptedStore();
  private final StoreLeases leases =
      new StoreLeases(store, time, time, new Callbacks(Runnable::run), Duration.ZERO, () -> {});
  private final Lease lease = leases.lease(PRINTER);
  private final Losses losses = Losses.of(lease);

  private void granted(long token) {
    CompletableFuture<Boolean> answer = lease.acquire().toCompletableFuture();
    last(store.asked).complete(OptionalLong.of(token));
    assertThat(answer).isCompletedWithValue(true);
  }

  private static <R> CompletableFuture<R> last(List<CompletableFuture<R>> requests) {
    return requests.get(requests.size() - 1);
  }

  // --- Acquiring ------------------------------------------------------------------------------

  @Test
  void deadlineCountsFromTheSendingOfTheRequest() {
    CompletableFuture<Boolean> answer = lease.acquire().toCompletableFuture();
    time.advance(Duration.ofSeconds(2));
    last(store.asked).complete(OptionalLong.of(7));

    assertThat(answer).isCompletedWithValue(true);
    assertThat(lease.fencingToken()).hasValue(7);
    assertThat(lease.remaining()).isEqualTo(TRUST.minusSeconds(2));
    time.advance(lease.remaining().minus(NANO));
    assertThat(lease.checkAlive()).isTrue();
    time.advance(NANO);
    assertThat(lease.checkAlive()).isFalse();
  }

  @Test
  void unavailableStoreHasNothingToGiveBack() {
    CompletableFuture<Boolean> answer = lease.acquire().toCompletableFuture();

    last(store.asked).completeExceptionally(new LeaseUnavailableException("no leader"));

    assertThat(answer)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LeaseUnavailableException.class);
    assertThat(store.givenBack).isEmpty();
  }

  @Test
  void anyOtherFailureIsUnknownAndGivenBack() {
    CompletableFuture<Boolean> answer = lease.acquire().toCompletableFuture();

    last(store.asked).completeExceptionally(broken);

    assertThat(answer)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LeaseIndeterminateException.class);
    assertThat(store.givenBack).hasSize(1);
    assertThat(lease.checkAlive()).isFalse();
  }

  @Test
  void noAnswerIsUnknownAndGivenBackWhenAGrantCouldNotBeTrustedAnyMore() {
    CompletableFuture<Boolean> answer = lease.acquire().toCompletableFuture();

    time.advance(TRUST.minus(NANO));
    assertThat(answer).isNotDone();
    time.advance(NANO);

    assertThat(answer)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LeaseIndeterminateException.class);
    assertThat(store.givenBack).hasSize(1);
    last(store.asked).complete(OptionalLong.of(7));
    assertThat(lease.checkAlive()).as("an answer that comes too late").isFalse();
    losses.assertNone();
  }

  @Test
  void waitOutlastsAStoreThatIsUnavailableForAWhile() {
    CompletableFuture<Boolean> answer = lease.acquire(PAUSE.plus(REPEAT)).toCompletableFuture();
    last(store.asked).completeExceptionally(new LeaseUnavailableException("no leader"));
    assertThat(answer).isNotDone();

    time.advance(PAUSE);
    assertThat(store.asked).hasSize(2);
    last(store.asked).complete(OptionalLong.empty());
    time.advance(REPEAT);
    assertThat(store.asked).as("a last time at the end of the wait").hasSize(3);
    last(store.asked).completeExceptionally(new LeaseUnavailableException("again no leader"));

    assertThat(answer)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LeaseUnavailableException.class);
  }

  @Test
  void nextAcquireWaitsForWhatIsGivenBack() {
    CompletableFuture<Boolean> first = lease.acquire().toCompletableFuture();
    first.cancel(true);
    last(store.asked).complete(OptionalLong.of(7));
    CompletableFuture<Boolean> second = lease.acquire().toCompletableFuture();
    assertThat(store.asked).as("its own claim would refuse it").hasSize(1);

    last(store.givenBack).complete(null);
    last(store.asked).complete(OptionalLong.of(8));

    assertThat(second).isCompletedWithValue(true);
    assertThat(lease.fencingToken()).hasValue(8);
  }

  @Test
  void whatTheStoreCannotDoIsRefused() {
    assertThatThrownBy(() -> leases.lease(PRINTER.withReclaim(true)))
        .isInstanceOf(InvalidLeaseArgumentException.class)
        .hasMessageContaining("reclaim");
    assertThatThrownBy(leases::inspector).isInstanceOf(UnsupportedOperationException.class);
  }

  // --- Keeping --------------------------------------------------------------------------------

  @Test
  void renewalThatIsNotAnsweredIsRepeatedUntilTheDeadline() {
    granted(7);

    time.advance(INTERVAL.minus(NANO));
    assertThat(store.renewed).isEmpty();
    time.advance(NANO);
    assertThat(store.renewed).hasSize(1);
    time.advance(REPEAT);
    assertThat(store.renewed).hasSize(2);
    store.renewed.get(1).completeExceptionally(broken);
    time.advance(TTL);

    assertThat(store.renewed).as("at 3, 4, 5, 6 and 7 s").hasSize(5);
    losses.assertOnce(lease, 7, LeaseLost.Reason.UNREACHABLE);
  }

  @Test
  void acknowledgementExtendsTheDeadlineFromItsOwnSending() {
    granted(7);
    time.advance(INTERVAL);
    time.advance(REPEAT);

    store.renewed.get(0).complete(Optional.empty());

    assertThat(lease.remaining()).isEqualTo(TRUST.minus(REPEAT));
  }

  @Test
  void lateAcknowledgementDoesNotReviveAHold() {
    granted(7);
    time.advance(TRUST);

    store.renewed.forEach(renewal -> renewal.complete(Optional.empty()));

    assertThat(lease.checkAlive()).isFalse();
    losses.assertOnce(lease, 7, LeaseLost.Reason.UNREACHABLE);
    assertThat(store.givenBack).hasSize(1);
  }

  /** As after a pause, when the answer is read before any timer has run. */
  @Test
  void lateAcknowledgementDoesNotReviveAHoldWhoseTimerIsLate() {
    StoreLeases withoutTimer =
        new StoreLeases(
            store,
            time,
            (delay, task) -> () -> {},
            new Callbacks(Runnable::run),
            Duration.ZERO,
            () -> {});
    Lease paused = withoutTimer.lease(PRINTER);
    Losses itsLosses = Losses.of(paused);
    CompletableFuture<Boolean> answer = paused.acquire().toCompletableFuture();
    last(store.asked).complete(OptionalLong.of(7));
    assertThat(answer).isCompletedWithValue(true);
    CompletableFuture<Boolean> again = paused.acquire().toCompletableFuture();

    time.advance(TRUST);
    last(store.renewed).complete(Optional.empty());

    assertThat(paused.checkAlive()).isFalse();
    assertThat(again).isCompletedExceptionally();
    itsLosses.assertOnce(paused, 7, LeaseLost.Reason.UNREACHABLE);
  }

  @Test
  void lossThatTheStoreTellsOfIsToldOnceWithItsReason() {
    granted(7);
    time.advance(INTERVAL.plus(REPEAT));

    store.renewed.get(0).complete(Optional.of(LeaseLost.Reason.TAKEN_OVER));
    store.renewed.get(1).complete(Optional.of(LeaseLost.Reason.TAKEN_OVER));
    time.advance(TTL);

    losses.assertOnce(lease, 7, LeaseLost.Reason.TAKEN_OVER);
  }

  @Test
  void newsOfAnOlderHoldDoesNotTouchANewerOne() {
    granted(7);
    time.advance(INTERVAL);
    CompletableFuture<Void> released = lease.release().toCompletableFuture();
    last(store.givenBack).complete(null);
    assertThat(released).isCompleted();
    granted(8);

    store.renewed.get(0).complete(Optional.of(LeaseLost.Reason.EXPIRED));

    assertThat(lease.fencingToken()).hasValue(8);
    losses.assertNone();
  }

  @Test
  void confirmationThatFailsIsUnknownAndKeepsTheHold() {
    granted(7);
    CompletableFuture<Boolean> again = lease.acquire().toCompletableFuture();

    last(store.renewed).completeExceptionally(broken);

    assertThat(again)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LeaseIndeterminateException.class);
    assertThat(lease.fencingToken()).hasValue(7);
  }

  @Test
  void confirmationThatComesTooLateIsUnknown() {
    granted(7);
    time.advance(REPEAT);
    CompletableFuture<Boolean> again = lease.acquire().toCompletableFuture();
    time.advance(TRUST.minus(REPEAT));

    store.renewed.get(0).complete(Optional.empty());

    assertThat(again)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LeaseIndeterminateException.class);
    assertThat(store.asked).hasSize(1);
    losses.assertOnce(lease, 7, LeaseLost.Reason.UNREACHABLE);
  }

  @Test
  void answerIsNotWaitedForAsLongAsALongTimeToLive() {
    Lease longLease = leases.lease(PRINTER.withOwner("b").withTtl(Duration.ofHours(24)));
    CompletableFuture<Boolean> answer = longLease.acquire().toCompletableFuture();

    time.advance(Duration.ofSeconds(30));

    assertThat(answer)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LeaseIndeterminateException.class);
  }

  // --- Giving up ------------------------------------------------------------------------------

  @Test
  void releaseIsRepeatedUntilTheTimeToLiveHasPassed() {
    granted(7);
    CompletableFuture<Void> released = lease.release().toCompletableFuture();
    assertThat(lease.checkAlive()).isFalse();

    for (int second = 0; second < TTL.toSeconds(); second++) {
      assertThat(released).isNotDone();
      assertThat(store.givenBack).hasSize(second + 1);
      last(store.givenBack).completeExceptionally(broken);
      time.advance(REPEAT);
    }

    assertThat(released)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LeaseIndeterminateException.class);
    time.advance(TTL);
    assertThat(store.givenBack).hasSize((int) TTL.toSeconds());
    losses.assertNone();
  }

  @Test
  void closeThatCannotReleaseIsALoss() {
    granted(7);

    leases.close();
    leases.close();

    losses.assertOnce(lease, 7, LeaseLost.Reason.CLOSED);
    assertThat(store.givenBack).hasSize(1);
  }

  @Test
  void closeDuringAnAcquireGivesItBack() {
    CompletableFuture<Boolean> answer = lease.acquire().toCompletableFuture();

    leases.close();

    assertThat(answer)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withCauseInstanceOf(LeaseUnavailableException.class);
    assertThat(store.givenBack).hasSize(1);
    last(store.asked).complete(OptionalLong.of(7));
    assertThat(lease.checkAlive()).isFalse();
  }
}
