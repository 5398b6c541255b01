package io.leasehold.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaseSettings;
import io.leasehold.memory.InMemoryCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads at once, of two processes, in real time. */
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("LockNotBeforeTry") // The lock is what is tested, not what protects the test.
final class LeaseLockContentionTest {

  private static final LeaseSettings PRINTER =
      LeaseSettings.of("printer", "a", Duration.ofSeconds(30)).withAcquireRetries(1);

  private final InMemoryCluster cluster = InMemoryCluster.inRealTime();
  private final LeaseLock lock = new LeaseLock(cluster.node("n1").lease(PRINTER));
  private final LeaseLock other = new LeaseLock(cluster.node("n2").lease(PRINTER));

  /** Written without any other protection than the lock. */
  private int count;

  @AfterEach
  void close() {
    cluster.close();
  }

  private boolean isFree() {
    return cluster.node("n3").inspector().find("printer").toCompletableFuture().join().isEmpty();
  }

  private static void pause(int spins) {
    for (int i = 0; i < spins; i++) {
      Thread.onSpinWait();
    }
  }

  @Test
  void twoThreadsAreNeverBothInside() {
    int rounds = 100;
    List<Attempt> attempts = new ArrayList<>();
    for (LeaseLock itsLock : List.of(lock, lock, lock, other, other)) {
      attempts.add(
          Attempt.of(
              () -> {
                for (int i = 0; i < rounds; i++) {
                  itsLock.lock();
                  try {
                    int before = count;
                    pause(1_000);
                    count = before + 1;
                  } finally {
                    itsLock.unlock();
                  }
                }
              }));
    }

    attempts.forEach(Attempt::await);

    assertThat(count).isEqualTo(5 * rounds);
    assertThat(isFree()).isTrue();
  }

  /** Case 59, at whatever step the interrupts happen to come. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void interruptsLeaveNothingLockedThatNobodyHas(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 60; round++) {
      LeaseLock itsLock = random.nextBoolean() ? lock : other;
      Attempt steady =
          Attempt.of(
              () -> {
                lock.lock();
                lock.unlock();
              });
      Attempt interrupted =
          Attempt.of(
              () -> {
                try {
                  itsLock.lockInterruptibly();
                } catch (InterruptedException expected) {
                  return;
                }
                itsLock.unlock();
              });

      pause(random.nextInt(20_000));
      interrupted.thread().interrupt();
      steady.await();
      interrupted.await();
    }

    await("what was interrupted is given back").until(this::isFree);
    assertThat(lock.tryLock()).isTrue();
    lock.unlock();
    assertThat(other.tryLock()).isTrue();
  }

  /** Case 100. */
  @Test
  void virtualThreadsThatWaitHoldNoCarrierThread() throws Exception {
    int threads = 4 * Runtime.getRuntime().availableProcessors();
    CountDownLatch done = new CountDownLatch(threads);
    lock.lock();
    for (int i = 0; i < threads; i++) {
      startVirtual(
          () -> {
            lock.lock();
            count++;
            lock.unlock();
            done.countDown();
          });
    }
    CountDownLatch unhindered = new CountDownLatch(1);

    startVirtual(unhindered::countDown);

    assertThat(unhindered.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(count).isZero();
    lock.unlock();
    assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(count).isEqualTo(threads);
  }

  /** Java 21 has them; this is compiled for 17. */
  private static void startVirtual(Runnable work) throws ReflectiveOperationException {
    Assumptions.assumeTrue(
        Runtime.version().feature() >= 21, "this JVM has no virtual threads; Java 21 has");
    Object unusedThread =
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
  }
}
