package io.leasehold.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import io.leasehold.raft.ManualStore.Proposal;
import io.leasehold.store.core.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is left of what has been acquired and given up, here or in the store. */
final class ChurnTest {

  private static final int ROUNDS = 100_000;

  private final Stage stage = new Stage();

  /** CASES.md, 67, 109. */
  @Test
  void acquiringAndReleasingManyNamesLeavesNothing() {
    LeaseSettings settings = Stage.settings("a");
    for (int i = 0; i < ROUNDS; i++) {
      Lease lease = stage.holder.lease(settings.withName("lease-" + i));
      CompletionStage<Boolean> acquired = lease.acquire();
      CompletionStage<Void> released = lease.release();
      if (i % 20 == 0) {
        assertThat(stage.result(acquired)).isTrue();
        stage.result(released);
      }
    }
    stage.settle();

    assertNothingIsLeft();
  }

  /** CASES.md, 67: also of those that were refused or have timed out. */
  @Test
  void refusedAcquiresLeaveNothing() {
    stage.otherAcquires();
    for (int i = 0; i < 2_000; i++) {
      Lease lease = stage.holder.lease(Stage.settings("owner-" + i % 10));
      assertThat(stage.result(lease.acquire())).isFalse();
    }
    stage.otherReleases();

    assertThat(stage.holder.node().holds().all()).isEmpty();
    assertThat(stage.store.table().contents().claims()).isEmpty();
  }

  private void assertNothingIsLeft() {
    LeaseNode node = stage.holder.node();
    assertThat(node.holds().all()).isEmpty();
    assertThat(node.pace().intervalNanos())
        .isEqualTo(HolderSide.SESSION_TTL.dividedBy(3).toNanos());
    assertThat(stage.store.table().state().leases()).isZero();
    assertThat(stage.store.table().contents().claims()).isEmpty();
    assertThat(stage.store.table().contents().news()).isEmpty();
    assertThat(stage.holder.rememberedClaimants()).isLessThan(ROUNDS / 10);
  }

  /**
   * CASES.md, 38: no order of calls, answers and failures leaves a lease that nobody believes in.
   */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomCallsLeaveNothingHeldThatNobodyBelievesIn(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Lease lease = stage.lease("a");
    List<CompletionStage<Boolean>> calls = new ArrayList<>();
    stage.store.holdBack();
    for (int i = 0; i < 5_000; i++) {
      switch (random.nextInt(10)) {
        case 0 -> calls.add(lease.acquire());
        case 1 -> calls.add(lease.acquire(Duration.ofMillis(random.nextInt(2_000))));
        case 2 -> {
          CompletionStage<Void> unused = lease.release();
        }
        case 3 -> {
          if (!calls.isEmpty()) {
            calls.get(random.nextInt(calls.size())).toCompletableFuture().cancel(false);
          }
        }
        case 4 -> contend(random);
        case 5, 6 -> stage.advance(Duration.ofMillis(random.nextInt(300)));
        default -> answerSomething(random);
      }
      stage.store.expireDue();
      assertThat(!lease.checkAlive() || isHeldInStore(lease)).as("alive only while held").isTrue();
    }
    stage.store.goOn();
    CompletionStage<Void> released = lease.release();
    stage.advance(Stage.TTL.multipliedBy(3));
    stage.store.expireDue();

    assertThat(stage.isDone(released)).isTrue();
    assertThat(stage.holderInStore()).isNotEqualTo(Optional.of("a"));
    calls.forEach(call -> assertThat(stage.isDone(call)).isTrue());
    assertThat(stage.holder.node().holds().all()).isEmpty();
  }

  private boolean isHeldInStore(Lease lease) {
    return stage
        .store
        .table()
        .lease(Stage.PRINTER)
        .filter(held -> held.token() == lease.fencingToken().orElse(0))
        .isPresent();
  }

  private void contend(SplittableRandom random) {
    if (stage.holderInStore().filter("other"::equals).isPresent()) {
      stage.otherReleases();
    } else if (random.nextBoolean()) {
      stage.otherAcquires(random.nextBoolean());
    } else if (stage.holderInStore().isPresent()) {
      stage.otherRevokes();
    }
  }

  private void answerSomething(SplittableRandom random) {
    if (stage.store.arrived().isEmpty()) {
      return;
    }
    Proposal proposal = stage.store.next();
    switch (random.nextInt(6)) {
      case 0 -> proposal.reject();
      case 1 -> proposal.fail();
      case 2 -> {
        proposal.apply();
        proposal.fail();
      }
      case 3 -> proposal.apply();
      default -> proposal.applyAndAnswer();
    }
  }

  /** CASES.md, 40: a renewal names no lease, so it cannot bring one back. */
  @Test
  void renewalsCarryNoLease() {
    stage.held();
    stage.store.holdBack();
    stage.advance(Stage.INTERVAL);

    List<Command> commands = stage.store.next().commands();

    assertThat(commands).isEmpty();
  }
}
