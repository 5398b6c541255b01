package io.leasehold.spring;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.leasehold.InvalidLeaseArgumentException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseInspector;
import io.leasehold.LeaseSettings;
import io.leasehold.LeaseStatus;
import io.leasehold.memory.InMemoryCluster;
import io.leasehold.memory.InMemoryLeases;
import io.leasehold.time.VirtualTime;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // Some waits bear interrupts.
@SuppressWarnings("LockNotBeforeTry") // What stands between lock and unlock is the test.
final class LeaseLockRegistryTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final LeaseSettings SETTINGS = LeaseSettings.of("locks/", "a", TTL);
  private static final String LEASE = "locks/printer";

  private final VirtualTime time = new VirtualTime();
  private final InMemoryCluster cluster = InMemoryCluster.onVirtualTime(time);
  private final LeaseInspector inspector = cluster.node("observer").inspector();

  private final LeaseLockRegistry registry = registry("n1");
  private final FencedLock lock = registry.obtain("printer");
  private final FencedLock other = registry("n2").obtain("printer");

  private LeaseLockRegistry registry(String node) {
    return new LeaseLockRegistry(cluster.node(node), SETTINGS);
  }

  private Optional<LeaseStatus> stored() {
    return inspector.find(LEASE).toCompletableFuture().join();
  }

  private void awaitWaiter() {
    await("a waiter in the lease's queue").until(() -> stored().orElseThrow().waiters() == 1);
  }

  private static <T> AnotherThread<T> onAnotherThread(Callable<T> call) {
    AnotherThread<T> another = new AnotherThread<>(call);
    another.thread.start();
    return another;
  }

  /** A call that may have to wait. */
  private static final class AnotherThread<T> extends FutureTask<T> {

    private final Thread thread = new Thread(this, "another");

    AnotherThread(Callable<T> call) {
      super(call);
      thread.setDaemon(true);
    }

    void awaitState(Thread.State state) {
      await("it waits").until(() -> thread.getState() == state);
    }

    void interrupt() {
      thread.interrupt();
    }
  }

  @Test
  void excludesOtherProcesses() {
    lock.lock();

    assertThat(other.tryLock()).isFalse();
    lock.unlock();
    assertThat(other.tryLock()).isTrue();
  }

  @Test
  void excludesOtherThreadsOfTheProcess() throws Exception {
    lock.lock();

    assertThat(onAnotherThread(lock::tryLock).get()).isFalse();
    assertThat(onAnotherThread(registry.obtain("printer")::tryLock).get()).isFalse();
    assertThat(onAnotherThread(registry.obtain("scanner")::tryLock).get()).isTrue();
  }

  @Test
  void oneThreadTakesItAsOftenAsItGivesItBack() throws InterruptedException {
    lock.lock();
    assertThat(lock.tryLock()).isTrue();
    registry.obtain("printer").lockInterruptibly();

    lock.unlock();
    lock.unlock();
    assertThat(other.tryLock()).isFalse();
    lock.unlock();
    assertThat(other.tryLock()).isTrue();
  }

  @Test
  void nobodyElseUnlocks() throws Exception {
    lock.lock();

    AnotherThread<String> unlocking =
        onAnotherThread(
            () -> {
              try {
                lock.unlock();
                return "unlocked";
              } catch (IllegalMonitorStateException e) {
                return String.valueOf(e.getMessage());
              }
            });

    assertThat(unlocking.get()).isEqualTo("Lock 'locks/printer' is not held by this thread");
    assertThat(lock.checkAlive()).isTrue();
  }

  @Test
  void waiterInAnotherProcessIsServedByTheUnlock() throws Exception {
    lock.lock();
    AnotherThread<Boolean> waiting = onAnotherThread(() -> other.tryLock(1, SECONDS));
    awaitWaiter();

    lock.unlock();

    assertThat(waiting.get()).isTrue();
    assertThat(other.checkAlive()).isTrue();
  }

  @Test
  void waiterInTheProcessIsServedByTheUnlock() throws Exception {
    lock.lock();
    AnotherThread<Boolean> waiting = onAnotherThread(() -> lock.tryLock(10, SECONDS));
    waiting.awaitState(Thread.State.TIMED_WAITING);

    lock.unlock();

    assertThat(waiting.get()).isTrue();
    assertThat(lock.checkAlive()).isTrue();
  }

  @Test
  void waitThatTakesTooLongEndsWithFalse() throws Exception {
    lock.lock();
    AnotherThread<Boolean> waiting =
        onAnotherThread(() -> other.tryLock(Duration.ofSeconds(30), Duration.ofMinutes(1)));
    awaitWaiter();

    time.advance(Duration.ofSeconds(30));

    assertThat(waiting.get()).isFalse();
    assertThat(stored().orElseThrow().waiters()).isZero();
  }

  @Test
  void isKeptForLongerThanItsTtl() {
    lock.lock();

    time.advance(TTL.multipliedBy(10));

    assertThat(lock.checkAlive()).isTrue();
    registry.renewLock("printer");
    registry.renewLock("printer", Duration.ofHours(1));
    lock.unlock();
  }

  @Test
  void eachHoldHasAGreaterToken() {
    lock.lock();
    long first = lock.fencingToken().orElseThrow();
    lock.unlock();
    assertThat(lock.fencingToken()).isEmpty();

    other.lock();

    assertThat(other.fencingToken().orElseThrow()).isGreaterThan(first);
  }

  @Test
  void lockMayHaveATtlOfItsOwn() {
    lock.lock(Duration.ofHours(1));
    assertThat(stored().orElseThrow().ttl()).isEqualTo(Duration.ofHours(1));
    lock.unlock();

    lock.lock();
    assertThat(stored().orElseThrow().ttl()).isEqualTo(TTL);
  }

  @Test
  void unlockAfterALossSaysSoAndUnlocks() {
    lock.lock();
    cluster.disconnect("n1");
    time.advance(TTL);
    other.lock();
    assertThat(lock.checkAlive()).isFalse();

    assertThatExceptionOfType(ConcurrentModificationException.class)
        .isThrownBy(lock::unlock)
        .withMessageContaining("locks/printer");

    cluster.reconnect("n1");
    assertThat(other.checkAlive()).isTrue();
    other.unlock();
    assertThat(lock.tryLock()).isTrue();
  }

  @Test
  void lostLockIsNotTakenOnceMore() {
    lock.lock();
    revoke();
    assertThat(stored()).isEmpty();

    assertThatExceptionOfType(CannotAcquireLockException.class).isThrownBy(lock::tryLock);
    assertThatIllegalStateException().isThrownBy(() -> registry.renewLock("printer"));

    assertThat(stored()).isEmpty();
    assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
    assertThat(lock.tryLock()).isTrue();
  }

  private void revoke() {
    assertThat(
            inspector
                .revoke(LEASE, lock.fencingToken().orElseThrow(), "test")
                .toCompletableFuture()
                .join())
        .isTrue();
  }

  @Test
  void renewalOfWhatIsNotHeldIsRefused() {
    other.lock();

    assertThatExceptionOfType(IllegalMonitorStateException.class)
        .isThrownBy(() -> registry.renewLock("printer"));
  }

  /** CASES.md, 41. */
  @Test
  void interruptUndoesWhatIsGrantedAfterIt() throws Exception {
    cluster.disconnect("n1");
    AnotherThread<Boolean> taking = onAnotherThread(() -> isInterrupted(lock));
    taking.awaitState(Thread.State.WAITING);

    taking.interrupt();

    assertThat(taking.get()).isTrue();
    cluster.reconnect("n1");
    assertThat(lock.checkAlive()).isFalse();
    assertThat(other.tryLock()).isTrue();
    assertThat(registry.locals).isEmpty();
  }

  /** CASES.md, 41. */
  @Test
  void interruptLeavesTheQueue() throws Exception {
    lock.lock();
    AnotherThread<Boolean> taking = onAnotherThread(() -> isInterrupted(other));
    awaitWaiter();

    taking.interrupt();

    assertThat(taking.get()).isTrue();
    assertThat(stored().orElseThrow().waiters()).isZero();
  }

  private static boolean isInterrupted(FencedLock lock) {
    try {
      lock.lockInterruptibly();
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  @Test
  void interruptDoesNotEndALockThatWaitsAndIsKept() throws Exception {
    lock.lock();
    AnotherThread<Boolean> taking =
        onAnotherThread(
            () -> {
              other.lock();
              other.unlock();
              return Thread.interrupted();
            });
    awaitWaiter();

    taking.interrupt();
    await("it has heard of it").until(() -> !taking.thread.isInterrupted());
    awaitWaiter();
    lock.unlock();

    assertThat(taking.get()).isTrue();
    assertThat(stored()).isEmpty();
  }

  @Test
  void storeThatDoesNotAnswerIsNotWaitedForForEver() throws Exception {
    cluster.disconnect("n1");
    AnotherThread<Exception> taking =
        onAnotherThread(
            () -> {
              try {
                lock.lock();
                return new IllegalStateException("taken");
              } catch (CannotAcquireLockException e) {
                return e;
              }
            });
    taking.awaitState(Thread.State.WAITING);

    time.advance(TTL);

    assertThat(taking.get())
        .isInstanceOf(CannotAcquireLockException.class)
        .hasCauseInstanceOf(LeaseIndeterminateException.class)
        .hasMessage(
            "Lock 'locks/printer' could not be taken: lease locks/printer: the store did not answer in time");
  }

  @Test
  void closedProviderRefuses() {
    InMemoryLeases leases = cluster.node("n1");
    lock.lock();
    leases.close();

    assertThat(lock.checkAlive()).isFalse();
    assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
    assertThatIllegalStateException().isThrownBy(lock::tryLock).withMessageContaining("closed");
  }

  @Test
  void keysAreStringsThatFitIntoAName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> registry.obtain(7))
        .withMessage("lockKey must be a string: 7");
    assertThatExceptionOfType(InvalidLeaseArgumentException.class)
        .isThrownBy(() -> registry.obtain("x".repeat(512)))
        .withMessageStartingWith("name must have at most 512 bytes");
  }

  @Test
  void locksThatNobodyUsesLeaveNothingBehind() {
    for (int i = 0; i < 100; i++) {
      FencedLock one = registry.obtain("printer" + i);
      one.lock();
      one.lock();
      one.unlock();
      one.unlock();
    }
    other.lock();
    assertThat(lock.tryLock()).isFalse();

    assertThat(registry.locals).isEmpty();
  }

  @Test
  void worksAsAnyLockRegistry() throws Exception {
    LockRegistry<DistributedLock> locks = registry;

    long token = locks.executeLocked("printer", () -> lock.fencingToken().orElseThrow());

    assertThat(token).isPositive();
    assertThat(stored()).isEmpty();
  }

  /** A confirming round trip that finds the lease lost acquires it anew. */
  @Test
  void renewalThatFindsALossDoesNotTakeTheLockAnew() {
    RegrantedLease lease = new RegrantedLease(SETTINGS);
    LeaseLockRegistry lossy = new LeaseLockRegistry(lease.provider(), SETTINGS);
    FencedLock lost = lossy.obtain("printer");
    lost.lock();

    assertThatIllegalStateException()
        .isThrownBy(() -> lossy.renewLock("printer"))
        .withMessage("Lock 'locks/printer' was lost");

    assertThat(lease.checkAlive()).isFalse();
    assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lost::unlock);
  }
}
