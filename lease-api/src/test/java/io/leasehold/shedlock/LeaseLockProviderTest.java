package io.leasehold.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.memory.InMemoryLeases;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.Test;

/** What ShedLock's kit does not ask: several processes, deaths, and exact times. */
final class LeaseLockProviderTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration AT_LEAST = Duration.ofSeconds(4);
  private static final Duration AT_MOST = Duration.ofMinutes(1);
  private static final Duration NANO = Duration.ofNanos(1);

  private final VirtualTime time = new VirtualTime();
  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
  private final LeaseLockProvider locks = locksOf("n1");
  private final LeaseLockProvider other = locksOf("n2");

  private LeaseLockProvider locksOf(String node) {
    return new LeaseLockProvider(
        cluster.node(node), LeaseSettings.of("shedlock", "app", TTL), time, time, () -> {});
  }

  private static LockConfiguration report(Duration atMost, Duration atLeast) {
    return new LockConfiguration(Instant.EPOCH, "report", atMost, atLeast);
  }

  private static SimpleLock lock(LeaseLockProvider locks, Duration atMost, Duration atLeast) {
    return locks.lock(report(atMost, atLeast)).orElseThrow();
  }

  private Optional<LeaseStatus> stored() {
    return cluster.node("observer").inspector().find("report").toCompletableFuture().join();
  }

  /** As the package's documentation has it. */
  @Test
  void taskRunsInRealTime() {
    List<String> sent = new ArrayList<>();
    Runnable report = () -> sent.add("report");
    try (LeaseProvider leases = InMemoryLeases.create();
        LeaseLockProvider provider =
            new LeaseLockProvider(
                leases, LeaseSettings.of("shedlock", "pod-7", Duration.ofSeconds(10)))) {
      new DefaultLockingTaskExecutor(provider)
          .executeWithLock(
              report,
              new LockConfiguration(
                  ClockProvider.now(), "report", Duration.ofMinutes(30), Duration.ofSeconds(30)));

      assertThat(leases.inspector().find("report").toCompletableFuture().join())
          .as("until lockAtLeastFor")
          .isPresent();
    }
    assertThat(sent).containsExactly("report");
  }

  @Test
  void taskRunsOnOneProcessAtATime() {
    LockConfiguration report = report(AT_MOST, Duration.ZERO);
    List<String> ran = new ArrayList<>();

    new DefaultLockingTaskExecutor(locks)
        .executeWithLock(
            (Runnable)
                () -> {
                  ran.add("here");
                  assertThat(other.lock(report)).isEmpty();
                },
            report);
    new DefaultLockingTaskExecutor(other)
        .executeWithLock((Runnable) () -> ran.add("there"), report);

    assertThat(ran).containsExactly("here", "there");
    assertThat(stored()).isEmpty();
  }

  @Test
  void twoProvidersOfOneProcessExcludeEachOther() {
    LeaseLockProvider twin = locksOf("n1");
    SimpleLock lock = lock(locks, AT_MOST, Duration.ZERO);
    assertThat(twin.lock(report(AT_MOST, Duration.ZERO))).isEmpty();

    lock.unlock();

    assertThat(twin.lock(report(AT_MOST, Duration.ZERO))).isPresent();
  }

  @Test
  void ownerIsSeenByOperators() {
    SimpleLock unused = lock(locks, AT_MOST, Duration.ZERO);

    assertThat(stored())
        .hasValueSatisfying(held -> assertThat(held.owner()).startsWith("app/shedlock-"));
  }

  @Test
  void lockIsHeldForAsLongAsTheTaskRuns() {
    SimpleLock lock = lock(locks, AT_MOST, Duration.ZERO);

    time.advance(AT_MOST.minus(NANO));
    assertThat(stored()).isPresent();
    time.advance(NANO);

    assertThat(stored()).as("after lockAtMostFor").isEmpty();
    lock.unlock();
  }

  @Test
  void unlockAfterTheLimitLeavesTheNextHolderAlone() {
    SimpleLock lock = lock(locks, AT_MOST, Duration.ZERO);
    time.advance(AT_MOST);
    SimpleLock next = lock(other, AT_MOST, Duration.ZERO);

    lock.unlock();

    assertThat(stored()).hasValueSatisfying(held -> assertThat(held.node()).isEqualTo("n2"));
    next.unlock();
  }

  @Test
  void unlockBeforeLockAtLeastForTakesEffectThen() {
    SimpleLock lock = lock(locks, AT_MOST, AT_LEAST);
    time.advance(Duration.ofSeconds(1));

    lock.unlock();
    time.advance(AT_LEAST.minusSeconds(1).minus(NANO));
    assertThat(stored()).isPresent();
    time.advance(NANO);

    assertThat(stored()).isEmpty();
  }

  @Test
  void lockAtLeastForIsKeptThoughTheProcessDies() {
    Duration atLeast = TTL.multipliedBy(3);
    lock(locks, AT_MOST, atLeast).unlock();
    cluster.crash("n1");

    time.advance(atLeast.minus(NANO));
    assertThat(other.lock(report(AT_MOST, Duration.ZERO))).isEmpty();
    time.advance(NANO);

    assertThat(other.lock(report(AT_MOST, Duration.ZERO))).isPresent();
  }

  @Test
  void lockAtLeastForMayBeLongerThanAnyTtl() {
    SimpleLock unused = lock(locks, Duration.ofDays(3), Duration.ofDays(2));

    assertThat(stored())
        .hasValueSatisfying(held -> assertThat(held.ttl()).isEqualTo(Duration.ofHours(24)));
  }

  @Test
  void deadProcessIsReplacedAfterTheTtlHoweverLongLockAtMostForIs() {
    SimpleLock unusedForItDies = lock(locks, Duration.ofHours(5), Duration.ZERO);
    cluster.crash("n1");

    time.advance(TTL);

    assertThat(other.lock(report(AT_MOST, Duration.ZERO))).isPresent();
  }

  @Test
  void extensionCountsFromItsCall() {
    SimpleLock lock = lock(locks, AT_MOST, Duration.ZERO);
    time.advance(Duration.ofSeconds(50));

    SimpleLock extended = lock.extend(AT_MOST, AT_LEAST).orElseThrow();
    time.advance(AT_MOST.minus(NANO));
    assertThat(stored()).isPresent();
    time.advance(NANO);

    assertThat(stored()).isEmpty();
    extended.unlock();
  }

  @Test
  void extensionAfterTheLimitIsRefusedThoughTheTimerIsLate() {
    LeaseLockProvider late =
        new LeaseLockProvider(
            cluster.node("n1"),
            LeaseSettings.of("shedlock", "app", TTL),
            time,
            (delay, task) -> () -> {},
            () -> {});
    SimpleLock lock = lock(late, AT_MOST, Duration.ZERO);
    time.advance(AT_MOST);

    assertThat(lock.extend(AT_MOST, Duration.ZERO)).isEmpty();

    assertThat(stored()).isEmpty();
  }

  @Test
  void lostLockCannotBeExtendedNorHarmTheNextOne() {
    SimpleLock lock = lock(locks, AT_MOST, Duration.ZERO);
    cluster.pause("n1");
    time.advance(TTL.multipliedBy(2));
    SimpleLock next = lock(other, AT_MOST, Duration.ZERO);
    cluster.resume("n1");

    assertThat(lock.extend(AT_MOST, Duration.ZERO)).isEmpty();

    time.advance(AT_MOST.minusSeconds(30));
    assertThat(stored()).hasValueSatisfying(held -> assertThat(held.node()).isEqualTo("n2"));
    next.unlock();
  }

  @Test
  void storeThatDoesNotAnswerIsAFailureInShedLocksTerms() {
    cluster.disconnect("n1");

    CompletableFuture<Optional<SimpleLock>> answer =
        CompletableFuture.supplyAsync(() -> locks.lock(report(AT_MOST, Duration.ZERO)));
    await("the store's silence is noticed")
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return answer.isDone();
            });

    assertThat(answer)
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(LockException.class)
        .havingCause()
        .isInstanceOf(LeaseIndeterminateException.class);
  }

  @Test
  void unlockThatIsNotConfirmedIsAFailureToo() {
    SimpleLock lock = lock(locks, AT_MOST, Duration.ZERO);
    cluster.disconnect("n1");

    CompletableFuture<Void> unlocked = CompletableFuture.runAsync(lock::unlock);
    await("the store's silence is noticed")
        .until(
            () -> {
              time.advance(Duration.ofSeconds(1));
              return unlocked.isDone();
            });

    assertThat(unlocked)
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(LockException.class);
    cluster.reconnect("n1");
    assertThat(stored()).isEmpty();
  }
}
