package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseLost;
import io.leasehold.LeaseUnavailableException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** This node's replica stops for good while calls are under way: its disk has failed. */
final class StoppedStoreTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final String WHY = "the disk of n1 is full, make room on it";

  private final Stage stage = new Stage();

  @Test
  void callThatWaitsToBeSentFailsAtOnceAndSaysWhy() {
    stage.store.holdBack();
    CompletionStage<Boolean> sent = stage.lease("a").acquire();
    CompletionStage<Boolean> waiting = stage.lease("b").acquire();

    stage.store.stop(WHY);

    assertThat(stage.failure(waiting))
        .isInstanceOf(LeaseUnavailableException.class)
        .hasMessageContaining(WHY);
    assertThat(stage.failure(sent))
        .as("it may be in the log")
        .isInstanceOf(LeaseIndeterminateException.class)
        .hasMessageContaining(WHY);
  }

  @Test
  void callThatComesLaterFailsAtOnceAndSaysWhy() {
    Lease lease = stage.lease("a");
    stage.store.stop(WHY);

    assertThat(stage.failure(lease.acquire(HOUR)))
        .isInstanceOf(LeaseUnavailableException.class)
        .hasMessageContaining(WHY);
    assertThat(stage.failure(stage.holder.inspector().list()))
        .isInstanceOf(LeaseUnavailableException.class)
        .hasMessageContaining(WHY);
  }

  @Test
  void callBetweenTwoTriesFailsAtOnce() {
    stage.otherAcquires();
    Lease lease =
        stage.holder.lease(Stage.settings("a").withAcquireRetries(2).withAcquireRetryDelay(HOUR));
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.settle();

    stage.store.stop(WHY);

    assertThat(stage.failure(acquired))
        .isInstanceOf(LeaseUnavailableException.class)
        .hasMessageContaining(WHY);
  }

  /** Its place may be granted before its session has run out, and nobody will hear of it. */
  @Test
  void waiterFailsAtOnceAndMayHaveBeenGranted() {
    stage.otherAcquires();
    CompletionStage<Boolean> acquired = stage.lease("a").acquire(HOUR);
    stage.settle();

    stage.store.stop(WHY);

    assertThat(stage.failure(acquired))
        .isInstanceOf(LeaseIndeterminateException.class)
        .hasMessageContaining(WHY);
  }

  @Test
  void waiterThatIsLeavingFailsAtOnce() {
    stage.otherAcquires();
    CompletionStage<Boolean> acquired = stage.lease("a").acquire(Duration.ofSeconds(1));
    stage.settle();
    stage.store.holdBack();
    stage.advance(Duration.ofSeconds(1));

    stage.store.stop(WHY);

    assertThat(stage.failure(acquired))
        .isInstanceOf(LeaseIndeterminateException.class)
        .hasMessageContaining(WHY);
  }

  @Test
  void releaseFailsAtOnceAndIsNotConfirmed() {
    Lease lease = stage.held();
    stage.store.stop(WHY);

    assertThat(stage.failure(lease.release()))
        .isInstanceOf(LeaseIndeterminateException.class)
        .hasMessageContaining(WHY);
    assertThat(lease.checkAlive()).isFalse();
  }

  /** Nobody else can be granted it before. */
  @Test
  void holdLastsUntilItsDeadline() {
    Lease lease = stage.held();
    stage.store.stop(WHY);

    stage.advance(Stage.LIFE.minusNanos(1));
    assertThat(lease.checkAlive()).isTrue();
    stage.advance(Duration.ofNanos(1));

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.UNREACHABLE);
  }

  @Test
  void providerIsClosedAtOnceAndItsHoldsAreLost() {
    Lease lease = stage.held();
    stage.store.stop(WHY);

    assertThat(stage.result(stage.holder.close())).isFalse();

    assertThat(lease.checkAlive()).isFalse();
    stage.assertLost(LeaseLost.Reason.CLOSED);
  }
}
