package io.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.fencing.FencedFile;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.time.VirtualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** One lock, step by step; time stands still, but for the waits of threads. */
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("LockNotBeforeTry") // The lock is what is tested, not what protects the test.
final class LeaseLockTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final LeaseSettings PRINTER =
      LeaseSettings.of("printer", "a", TTL).withAcquireRetries(1);

  private static final Duration POLL = Duration.ofMillis(2);

  private final VirtualTime time = new VirtualTime();
  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
  private final LeaseLock lock = lockOf("n1");
  private final LeaseLock other = lockOf("n2");

  private LeaseLock lockOf(String node) {
    return new LeaseLock(lease(node));
  }

  private Lease lease(String node) {
    return cluster.node(node).lease(PRINTER);
  }

  private Optional<LeaseStatus> stored() {
    return cluster.node("observer").inspector().find("printer").toCompletableFuture().join();
  }

  private void awaitWaiters(int count) {
    await("waiters in the store's queue")
        .pollInterval(POLL)
        .until(() -> stored().map(LeaseStatus::waiters).orElse(0) == count);
  }

  private static void awaitBlocked(Thread thread) {
    await("it waits for the lock")
        .pollInterval(POLL)
        .until(
            () ->
                thread.getState() == Thread.State.WAITING
                    || thread.getState() == Thread.State.TIMED_WAITING);
  }

  /** As the package's documentation has it. */
  @Test
  void lockGuardsAFileThatComparesItsTokens(@TempDir Path folder) throws IOException {
    FencedFile report = new FencedFile(folder.resolve("report"));

    lock.lock();
    try {
      report.write(lock.fencingToken(), new byte[] {1});
    } finally {
      lock.unlock();
    }

    assertThat(report.read()).hasValue(new byte[] {1});
    assertThat(stored()).isEmpty();
  }

  // --- Exclusion ------------------------------------------------------------------------------

  @Test
  void lockedIsHeldAndUnlockedIsFree() {
    lock.lock();
    assertThat(stored()).hasValueSatisfying(held -> assertThat(held.node()).isEqualTo("n1"));
    assertThat(lock.checkAlive()).isTrue();
    assertThat(lock.fencingToken()).isEqualTo(1);

    lock.unlock();

    assertThat(stored()).isEmpty();
    assertThat(lock.checkAlive()).isFalse();
  }

  @Test
  void anotherProcessIsExcludedUntilTheUnlock() {
    lock.lock();
    assertThat(other.tryLock()).isFalse();

    lock.unlock();

    assertThat(other.tryLock()).isTrue();
    assertThat(other.fencingToken()).isEqualTo(2);
  }

  @Test
  void anotherThreadOfTheProcessIsExcludedUntilTheUnlock() throws Exception {
    lock.lock();
    AtomicBoolean inside = new AtomicBoolean();
    Attempt attempt =
        Attempt.of(
            () -> {
              lock.lock();
              inside.set(true);
            });
    awaitBlocked(attempt.thread());
    assertThat(lock.tryLock()).isFalse();
    assertThat(lock.tryLock(1, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(inside).isFalse();

    lock.unlock();

    attempt.await();
    assertThat(inside).isTrue();
    assertThat(lock.fencingToken()).as("a hold of its own").isEqualTo(2);
  }

  @Test
  void lockIsNotReentrant() throws InterruptedException {
    lock.lock();

    assertThat(lock.tryLock()).isFalse();
    assertThat(lock.tryLock(1, TimeUnit.MILLISECONDS)).isFalse();
  }

  @Test
  void anyThreadMayUnlock() {
    lock.lock();

    Attempt.of(lock::unlock).await();

    assertThat(stored()).isEmpty();
  }

  @Test
  void waitersOfSeveralProcessesAreServedFirstComeFirstServed() {
    lock.lock();
    Attempt second = Attempt.of(other::lock);
    awaitWaiters(1);
    LeaseLock last = lockOf("n3");
    Attempt third = Attempt.of(last::lockInterruptibly);
    awaitWaiters(2);

    lock.unlock();
    second.await();
    assertThat(last.checkAlive()).isFalse();
    other.unlock();
    third.await();

    assertThat(last.checkAlive()).isTrue();
  }

  // --- Unlocking ------------------------------------------------------------------------------

  @Test
  void unlockOfWhatIsNotLockedIsRefused() {
    assertThatThrownBy(lock::unlock)
        .isExactlyInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining("printer");
    assertThatThrownBy(lock::fencingToken).isInstanceOf(IllegalMonitorStateException.class);

    lock.lock();
    lock.unlock();
    assertThatThrownBy(lock::unlock).isExactlyInstanceOf(IllegalMonitorStateException.class);
    assertThat(lock.tryLock()).as("no second permit").isTrue();
    assertThat(lock.tryLock()).isFalse();
  }

  @Test
  void unlockAfterALossSaysSoAndFreesTheLock() {
    lock.lock();
    cluster.disconnect("n1");
    time.advance(TTL);
    assertThat(lock.checkAlive()).isFalse();
    assertThat(lock.fencingToken()).as("for the resource to refuse").isEqualTo(1);

    assertThatThrownBy(lock::unlock)
        .isInstanceOf(LockLostException.class)
        .hasMessageContaining("printer")
        .extracting(lost -> ((LockLostException) lost).fencingToken())
        .isEqualTo(1L);

    cluster.reconnect("n1");
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.fencingToken()).isGreaterThan(1);
    lock.unlock();
  }

  @Test
  void unlockAfterALossLeavesTheNextHolderAlone() {
    lock.lock();
    cluster.pause("n1");
    time.advance(TTL.multipliedBy(2));
    other.lock();
    cluster.resume("n1");

    assertThatThrownBy(lock::unlock).isInstanceOf(LockLostException.class);

    assertThat(other.checkAlive()).isTrue();
    assertThat(stored()).hasValueSatisfying(held -> assertThat(held.node()).isEqualTo("n2"));
  }

  @Test
  void lossIsToldThoughTheLeaseIsHeldAgain() {
    Lease lease = lease("n1");
    LeaseLock itsLock = new LeaseLock(lease);
    itsLock.lock();
    cluster.disconnect("n1");
    time.advance(TTL);
    cluster.reconnect("n1");
    assertThat(lease.acquire().toCompletableFuture().join()).as("behind its back").isTrue();

    assertThat(itsLock.checkAlive()).isFalse();
    assertThatThrownBy(itsLock::unlock).isInstanceOf(LockLostException.class);
    assertThat(lease.checkAlive()).isTrue();
  }

  @Test
  void unlockWithoutAnAnswerSaysSoAndFreesTheLock() {
    lock.lock();
    cluster.disconnect("n1");
    Attempt unlock = Attempt.of(lock::unlock);
    awaitBlocked(unlock.thread());
    assertThat(lock.tryLock()).as("it comes after the release").isFalse();

    time.advance(TTL);

    assertThat(unlock.failure()).isInstanceOf(LeaseIndeterminateException.class);
    cluster.reconnect("n1");
    assertThat(lock.tryLock()).isTrue();
  }

  // --- Giving up ------------------------------------------------------------------------------

  @Test
  void interruptBeforehandKeepsItFromAsking() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> lock.tryLock(0, TimeUnit.SECONDS))
        .isInstanceOf(InterruptedException.class);

    assertThat(Thread.interrupted()).as("was consumed").isFalse();
    assertThat(stored()).isEmpty();
    assertThat(lock.tryLock()).isTrue();
  }

  @Test
  void interruptWhileAnotherThreadHasItEndsTheWait() {
    lock.lock();
    Attempt attempt = Attempt.of(lock::lockInterruptibly);
    awaitBlocked(attempt.thread());

    attempt.thread().interrupt();

    assertThat(attempt.failure()).isInstanceOf(InterruptedException.class);
    lock.unlock();
    assertThat(lock.tryLock()).isTrue();
  }

  /** Cases 41 and 59. */
  @Test
  void interruptInTheQueueLeavesIt() {
    other.lock();
    Attempt attempt = Attempt.of(lock::lockInterruptibly);
    awaitWaiters(1);

    attempt.thread().interrupt();

    assertThat(attempt.failure()).isInstanceOf(InterruptedException.class);
    awaitWaiters(0);
    other.unlock();
    assertThat(stored()).as("nobody is granted what nobody waits for").isEmpty();
    assertThat(lock.tryLock()).isTrue();
  }

  /** Cases 41 and 57. */
  @Test
  void interruptBeforeTheGrantUndoesIt() {
    cluster.disconnect("n1");
    Attempt attempt = Attempt.of(lock::lockInterruptibly);
    awaitBlocked(attempt.thread());

    attempt.thread().interrupt();
    assertThat(attempt.failure()).isInstanceOf(InterruptedException.class);
    cluster.reconnect("n1");

    assertThat(stored()).isEmpty();
    assertThat(lock.tryLock()).isTrue();
  }

  /** Cases 41 and 59. */
  @Test
  void interruptThatCrossesTheGrantUndoesIt() {
    LeaseLock crossed = new LeaseLock(new InterruptedLease(lease("n1")));

    assertThatThrownBy(crossed::lockInterruptibly).isInstanceOf(InterruptedException.class);
    assertThat(stored()).isEmpty();
    assertThatThrownBy(() -> crossed.tryLock(1, TimeUnit.MINUTES))
        .isInstanceOf(InterruptedException.class);

    assertThat(stored()).isEmpty();
    assertThat(crossed.tryLock()).isTrue();
  }

  @Test
  void timeThatRunsOutInTheQueueLeavesIt() throws InterruptedException {
    other.lock();

    assertThat(lock.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();

    awaitWaiters(0);
    other.unlock();
    assertThat(stored()).isEmpty();
    assertThat(lock.tryLock(1, TimeUnit.MINUTES)).isTrue();
  }

  /** Case 57. */
  @Test
  void timeThatRunsOutBeforeTheGrantUndoesIt() throws InterruptedException {
    cluster.disconnect("n1");

    assertThat(lock.tryLock(20, TimeUnit.MILLISECONDS)).isFalse();
    cluster.reconnect("n1");

    assertThat(stored()).isEmpty();
    assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void interruptDoesNotEndALockThatCannotBeInterruptedAndIsKept() {
    other.lock();
    AtomicBoolean kept = new AtomicBoolean();
    Attempt attempt =
        Attempt.of(
            () -> {
              lock.lock();
              kept.set(Thread.currentThread().isInterrupted());
            });
    awaitWaiters(1);

    attempt.thread().interrupt();
    other.unlock();

    attempt.await();
    assertThat(kept).isTrue();
    assertThat(lock.checkAlive()).isTrue();
  }

  @Test
  void leaseThatIsReleasedBehindItsBackDoesNotEndAWait() {
    other.lock();
    Attempt attempt = Attempt.of(lock::lock);
    awaitWaiters(1);

    CompletableFuture<Void> released = lease("n1").release().toCompletableFuture();
    assertThat(released).isDone();
    awaitWaiters(1);
    other.unlock();

    attempt.await();
    assertThat(lock.checkAlive()).isTrue();
  }

  // --- Failing --------------------------------------------------------------------------------

  /** Case 61. */
  @Test
  void lockThatCannotAskTheStoreThrowsAndLocksNothing() {
    other.lock();
    Attempt waiting = Attempt.of(lock::lock);
    awaitWaiters(1);

    cluster.node("n1").close();

    assertThat(waiting.failure()).isInstanceOf(LeaseUnavailableException.class);
    awaitWaiters(0);
    assertThatThrownBy(lock::lock).isInstanceOf(LeaseUnavailableException.class);
    assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(LeaseUnavailableException.class);
    assertThatThrownBy(lock::tryLock).isInstanceOf(LeaseUnavailableException.class);
    assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.SECONDS))
        .isInstanceOf(LeaseUnavailableException.class);
    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void lockWithoutAnAnswerThrowsAndLocksNothing() {
    cluster.disconnect("n1");
    Attempt attempt = Attempt.of(lock::lock);
    awaitBlocked(attempt.thread());

    time.advance(TTL);

    assertThat(attempt.failure()).isInstanceOf(LeaseIndeterminateException.class);
    cluster.reconnect("n1");
    assertThat(stored()).isEmpty();
    assertThat(lock.tryLock()).isTrue();
  }

  @Test
  void thereAreNoConditions() {
    Lock anyLock = lock;

    assertThatThrownBy(anyLock::newCondition).isInstanceOf(UnsupportedOperationException.class);
  }
}
