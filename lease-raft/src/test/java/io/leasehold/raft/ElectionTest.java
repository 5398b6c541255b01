package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.raft.ManualStore.Proposal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * While there is no leader nobody gets anything: it must not take longer than the election does.
 */
final class ElectionTest {

  private static final Duration ELECTION = Duration.ofMillis(400);
  private static final Duration OUTAGE = Duration.ofMillis(700);
  private static final Duration LONG_OUTAGE = Duration.ofSeconds(3);

  private final Stage stage = new Stage();

  @Test
  void batchThatWaitsForALeaderGoesAsSoonAsOneIsKnown() {
    CompletionStage<Boolean> acquired = acquireDuringAnOutage();

    stage.store.lead(Optional.of("n2"));

    stage.store.next().applyAndAnswer();
    assertThat(stage.result(acquired)).isTrue();
  }

  @Test
  void batchThatMayBeAppliedGoesAgainAsSoonAsALeaderIsKnown() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    stage.store.next().fail();
    outage(OUTAGE);

    stage.store.lead(Optional.of("n2"));

    stage.store.next().applyAndAnswer();
    assertThat(stage.result(acquired)).isTrue();
  }

  @Test
  void thatNoLeaderIsKnownIsNoReasonToTryAgain() {
    CompletionStage<Boolean> unused = acquireDuringAnOutage();

    stage.store.lead(Optional.empty());

    assertThat(stage.store.arrived()).isEmpty();
  }

  @Test
  void batchOnItsWayIsNotSentTwiceBecauseALeaderIsKnown() {
    stage.store.holdBack();
    CompletionStage<Boolean> unused = stage.lease("a").acquire();
    Proposal first = stage.store.next();

    stage.store.lead(Optional.of("n2"));

    assertThat(stage.store.arrived()).isEmpty();
    first.applyAndAnswer();
  }

  @Test
  void aNodeAsksOftenForAsLongAsAnElectionTakesAndSeldomLater() {
    stage.store.holdBack();
    CompletionStage<Boolean> unused = stage.lease("a").acquire();

    int early = outage(ELECTION);
    int late = outage(LONG_OUTAGE);

    assertThat(early).isBetween(9, 15);
    assertThat(late).isLessThan(20);
  }

  @Test
  void soItDoesWithABatchThatMayBeApplied() {
    stage.store.holdBack();
    CompletionStage<Boolean> unused = stage.lease("a").acquire();
    stage.store.next().fail();

    assertThat(outage(ELECTION)).isBetween(9, 15);
  }

  private CompletionStage<Boolean> acquireDuringAnOutage() {
    Lease lease = stage.lease("a");
    stage.store.holdBack();
    CompletionStage<Boolean> acquired = lease.acquire();
    outage(OUTAGE);
    return acquired;
  }

  /** Rejects whatever comes, and returns how much. */
  private int outage(Duration lasts) {
    int rejected = 0;
    for (long millis = 0; millis < lasts.toMillis(); millis++) {
      stage.advance(Duration.ofMillis(1));
      while (!stage.store.arrived().isEmpty()) {
        stage.store.next().reject();
        rejected++;
      }
    }
    return rejected;
  }
}
