package io.leasehold.singleton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.LeaseEvent;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.singleton.Singleton.State;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SingletonTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(6);
  private static final Duration SHORTEST_RETRY = Duration.ofSeconds(4);

  private final VirtualTime time = new VirtualTime();
  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
  private final Job job1 = new Job();
  private final Job job2 = new Job();

  @AfterEach
  void close() {
    cluster.close();
  }

  private Singleton start(String node, AsyncSingletonTask task) {
    return Singleton.builder(cluster.node(node), LeaseSettings.of("poller", node, TTL))
        .retryInterval(RETRY)
        .timer(time)
        .random(new SplittableRandom(1))
        .startAsync(task);
  }

  private Optional<LeaseStatus> held() {
    return cluster.node("observer").inspector().find("poller").toCompletableFuture().join();
  }

  private void revoke() {
    boolean unusedRevoked =
        cluster
            .node("observer")
            .inspector()
            .revoke("poller", held().orElseThrow().fencingToken(), "a test")
            .toCompletableFuture()
            .join();
  }

  @Test
  void taskRunsOnceTheLeaseIsHeldAndKnowsItsToken() {
    Singleton singleton = start("n1", job1);

    assertThat(singleton.state()).isEqualTo(State.RUNNING);
    assertThat(job1.last().context.fencingToken()).isEqualTo(held().orElseThrow().fencingToken());
    assertThat(singleton.fencingToken()).hasValue(job1.last().context.fencingToken());
    assertThat(job1.last().context.checkAlive()).isTrue();
    assertThat(job1.last().context.remaining()).isPositive();
  }

  @Test
  void taskRunsForManyTtlsAndNobodyElseDoes() {
    Singleton unusedFirst = start("n1", job1);
    Singleton second = start("n2", job2);

    time.advance(TTL.multipliedBy(50));

    assertThat(job1.last().context.checkAlive()).isTrue();
    assertThat(job1.started()).isEqualTo(1);
    assertThat(second.state()).isEqualTo(State.COMPETING);
    assertThat(job2.started()).isZero();
  }

  @Test
  void nextNodeIsHandedOverToWithoutATurnOfTheClock() {
    Singleton first = start("n1", job1);
    Singleton unusedSecond = start("n2", job2);

    var unusedShutdown = first.shutdown();
    job1.last().end();

    assertThat(job2.isRunning()).isTrue();
    assertThat(job2.last().context.fencingToken())
        .isGreaterThan(job1.last().context.fencingToken());
  }

  @Test
  void nodeThatDiedIsReplacedAfterTheTtl() {
    Singleton unusedFirst = start("n1", job1);
    Singleton unusedSecond = start("n2", job2);

    cluster.crash("n1");
    time.advance(TTL);

    assertThat(job2.isRunning()).isTrue();
  }

  @Test
  void lossCancelsTheTaskAtOnceAndNothingIsBegunUntilItHasEnded() {
    Singleton singleton = start("n1", job1);
    Job.Run run = job1.last();

    revoke();

    assertThat(run.context.isCancelled()).isTrue();
    assertThat(run.cancellations).isEqualTo(1);
    assertThat(run.context.checkAlive()).isFalse();
    assertThat(run.context.remaining()).isZero();
    time.advance(TTL.multipliedBy(10));
    assertThat(singleton.state()).isEqualTo(State.STOPPING);
    assertThat(held()).as("free for others while the old task lingers").isEmpty();
    assertThat(job1.started()).isEqualTo(1);

    run.end();

    assertThat(job1.started()).isEqualTo(2);
    assertThat(run.context.checkAlive()).as("the old task stays cancelled").isFalse();
    assertThat(job1.last().context.checkAlive()).isTrue();
  }

  @Test
  void nodeThatIsCutOffStopsBeforeAnotherOneBegins() {
    Singleton unusedFirst = start("n1", job1);
    Singleton unusedSecond = start("n2", job2);

    cluster.disconnect("n1");
    boolean stoppedFirst = false;
    while (!job2.isRunning()) {
      stoppedFirst = job1.last().context.isCancelled();
      time.advance(Duration.ofMillis(100));
    }

    assertThat(stoppedFirst).isTrue();
  }

  /** CASES.md, 25 and 26. */
  @Test
  void taskThatFailsReleasesTheLease() {
    Singleton singleton = start("n1", job1);
    Singleton unusedSecond = start("n2", job2);

    job1.last().ended.completeExceptionally(new IllegalStateException("the task failed"));

    assertThat(job2.isRunning()).isTrue();
    assertThat(singleton.state()).isEqualTo(State.RESTING);
    assertThat(job1.last().context.isCancelled()).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // a user without it may return null
  void taskThatCannotBeStartedReleasesTheLeaseAndIsTriedAgainAfterTheRetryInterval() {
    List<Long> startsNanos = new ArrayList<>();
    Singleton singleton =
        start(
            "n1",
            context -> {
              startsNanos.add(time.nanos());
              if (startsNanos.size() == 1) {
                throw new IllegalStateException("it cannot be started");
              }
              return startsNanos.size() == 2 ? null : new CompletableFuture<>();
            });

    assertThat(held()).isEmpty();
    time.advance(LONGEST_RETRY.multipliedBy(2));

    assertThat(startsNanos).hasSize(3);
    assertThat(startsNanos.get(1) - startsNanos.get(0))
        .isBetween(SHORTEST_RETRY.toNanos(), LONGEST_RETRY.toNanos());
    assertThat(singleton.state()).isEqualTo(State.RUNNING);
  }

  @Test
  void taskThatEndsGivesTheLeaseUpAndIsRunAgainLater() {
    Singleton singleton = start("n1", job1);

    job1.last().end();

    assertThat(held()).as("held with nobody working").isEmpty();
    assertThat(singleton.fencingToken()).isEmpty();
    time.advance(LONGEST_RETRY);
    assertThat(job1.started()).isEqualTo(2);
  }

  @Test
  void storeThatCannotBeAskedIsTriedAgain() {
    cluster.node("n1");
    cluster.disconnect("n1");
    Singleton singleton = start("n1", job1);

    time.advance(TTL.multipliedBy(10));
    assertThat(job1.started()).isZero();
    cluster.reconnect("n1");
    time.advance(TTL);

    assertThat(singleton.state()).isEqualTo(State.RUNNING);
  }

  @Test
  void stepDownEndsTheTaskThenReleasesAndKeepsOutForTheCooldown() {
    Singleton singleton = start("n1", job1);

    CompletableFuture<Void> done = singleton.stepDown(Duration.ofMinutes(1)).toCompletableFuture();

    assertThat(job1.last().context.isCancelled()).isTrue();
    assertThat(held()).as("released while the task runs").isPresent();
    assertThat(done).isNotDone();
    job1.last().end();
    assertThat(done).isCompleted();
    assertThat(held()).isEmpty();

    time.advance(Duration.ofSeconds(59));
    assertThat(job1.started()).isEqualTo(1);
    time.advance(Duration.ofSeconds(1));
    assertThat(job1.started()).isEqualTo(2);
  }

  @Test
  void stepDownOfOneThatWaitsLeavesTheQueue() {
    Singleton first = start("n1", job1);
    Singleton second = start("n2", job2);

    CompletableFuture<Void> done = second.stepDown(Duration.ofMinutes(1)).toCompletableFuture();

    assertThat(done).isCompleted();
    assertThat(held().orElseThrow().waiters()).isZero();
    var unusedShutdown = first.shutdown();
    job1.last().end();
    time.advance(Duration.ofSeconds(59));
    assertThat(job2.started()).isZero();
    time.advance(Duration.ofSeconds(1));
    assertThat(job2.isRunning()).isTrue();
  }

  @Test
  void secondStepDownCanOnlyProlongTheFirst() {
    Singleton singleton = start("n1", job1);
    var unusedLong = singleton.stepDown(Duration.ofMinutes(2));
    job1.last().end();

    CompletableFuture<Void> done = singleton.stepDown(Duration.ZERO).toCompletableFuture();

    assertThat(done).isCompleted();
    time.advance(Duration.ofMinutes(1));
    assertThat(job1.started()).isEqualTo(1);
    time.advance(Duration.ofMinutes(1));
    assertThat(job1.started()).isEqualTo(2);
  }

  @Test
  void stepDownWhileATaskThatHasLostItsLeaseLingersKeepsOutToo() {
    Singleton singleton = start("n1", job1);
    revoke();
    CompletableFuture<Void> done = singleton.stepDown(Duration.ofMinutes(1)).toCompletableFuture();

    assertThat(done).isNotDone();
    job1.last().end();

    assertThat(done).isCompleted();
    assertThat(singleton.state()).isEqualTo(State.RESTING);
  }

  @Test
  void endlessCooldownIsOne() {
    Singleton singleton = start("n1", job1);
    CompletableFuture<Void> done =
        singleton.stepDown(ChronoUnit.FOREVER.getDuration()).toCompletableFuture();

    job1.last().end();

    assertThat(done).isCompleted();
    assertThat(singleton.state()).isEqualTo(State.RESTING);
  }

  @Test
  void cancellationThatFailsWithAnErrorKeepsNothingHeld() {
    Singleton unusedSingleton = start("n1", job1);
    job1.last()
        .context
        .onCancel(
            () -> {
              throw new AssertionError("a test's");
            });

    job1.last().end();

    assertThat(held()).isEmpty();
  }

  @Test
  void badCooldownIsRefused() {
    Singleton singleton = start("n1", job1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> singleton.stepDown(Duration.ofSeconds(-1)))
        .withMessageContaining("cooldown");
  }

  /** CASES.md, 77. */
  @Test
  void shutdownWaitsForTheTaskAndThenReleases() {
    Singleton singleton = start("n1", job1);
    CompletableFuture<Void> done = singleton.shutdown().toCompletableFuture();

    time.advance(TTL.multipliedBy(10));
    assertThat(job1.last().context.isCancelled()).isTrue();
    assertThat(held()).as("released before the task has ended").isPresent();
    job1.last().end();

    assertThat(done).isCompleted();
    assertThat(held()).isEmpty();
    assertThat(singleton.state()).isEqualTo(State.CLOSED);
    time.advance(TTL.multipliedBy(10));
    assertThat(job1.started()).isEqualTo(1);
  }

  @Test
  void shutdownOfOneThatWaitsOrRestsEndsAtOnce() {
    Singleton unusedFirst = start("n1", job1);
    Singleton waiting = start("n2", job2);
    Singleton resting = start("n3", context -> CompletableFuture.completedFuture(null));
    var unusedRest = resting.stepDown(Duration.ofDays(1));

    assertThat(waiting.shutdown().toCompletableFuture()).isCompleted();
    assertThat(resting.shutdown().toCompletableFuture()).isCompleted();
    assertThat(resting.stepDown(Duration.ZERO).toCompletableFuture()).isCompleted();

    assertThat(held().orElseThrow().waiters()).isZero();
  }

  @Test
  void closingTheProviderStopsTheTaskBeforeItsLeaseIsFree() {
    List<Boolean> heldWhenCancelled = new ArrayList<>();
    Singleton singleton =
        start(
            "n1",
            context -> {
              CompletableFuture<Void> ended = new CompletableFuture<>();
              context.onCancel(
                  () -> {
                    heldWhenCancelled.add(held().isPresent());
                    ended.complete(null);
                  });
              return ended;
            });

    cluster.node("n1").close();

    assertThat(heldWhenCancelled).containsExactly(true);
    assertThat(held()).isEmpty();
    assertThat(singleton.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void candidateThatCannotReachTheStoreIsShutDownAtOnce() {
    Singleton unusedFirst = start("n1", job1);
    Singleton waiting = start("n2", job2);
    cluster.disconnect("n2");

    CompletableFuture<Void> done = waiting.shutdown().toCompletableFuture();

    assertThat(done).isCompleted();
    cluster.reconnect("n2");
    assertThat(held().orElseThrow().waiters()).isZero();
  }

  @Test
  void providerThatIsClosedDoesNotWaitForAnythingButTheTask() {
    Singleton unusedSingleton = start("n1", job1);
    cluster.disconnect("n1");
    job1.last().context.onCancel(job1.last()::end);
    long startNanos = System.nanoTime();

    cluster.node("n1").close();

    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(TTL.dividedBy(2));
    assertThat(job1.isRunning()).isFalse();
  }

  @Test
  void holdThatIsReleasedThroughAnotherHandleStopsTheTask() {
    Singleton singleton = start("n1", job1);

    var unusedRelease = cluster.node("n1").lease(LeaseSettings.of("poller", "n1", TTL)).release();
    assertThat(job1.last().context.checkAlive()).isFalse();
    time.advance(TTL.dividedBy(3));

    assertThat(job1.last().context.isCancelled()).isTrue();
    assertThat(singleton.state()).isEqualTo(State.STOPPING);
  }

  @Test
  void userMayBlockInWhatFollowsAStepDown() {
    Singleton singleton = start("n1", job1);
    List<State> seen = new ArrayList<>();
    var unusedSteps =
        singleton
            .stepDown(Duration.ofMinutes(1))
            .thenRun(
                () -> {
                  singleton.close();
                  seen.add(singleton.state());
                });

    job1.last().end();

    assertThat(seen).containsExactly(State.CLOSED);
  }

  @Test
  void cancellationAfterTheFactIsToldAtOnce() {
    Singleton unusedSingleton = start("n1", job1);
    revoke();
    List<String> told = new ArrayList<>();

    job1.last().context.onCancel(() -> told.add("late"));

    assertThat(told).containsExactly("late");
  }

  @Test
  void observersLearnWhoLeads() {
    Singleton first = start("n1", job1);
    Singleton second = start("n2", job2);
    List<String> leaders = new ArrayList<>();
    var unusedObserver =
        second.observe(
            event -> {
              if (event.kind() == LeaseEvent.Kind.CURRENT
                  || event.kind() == LeaseEvent.Kind.GRANTED) {
                leaders.add(event.node());
              }
            });

    var unusedShutdown = first.shutdown();
    job1.last().end();

    assertThat(leaders).containsExactly("n1", "n2");
  }
}
