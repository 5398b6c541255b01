package io.leasehold.bench.peers;

import com.hazelcast.cp.lock.FencedLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A lock with a queue, which belongs to the thread that acquires it: that is its owner. */
final class HazelcastContender implements NumberedContender {

  private final FencedLock lock;
  private volatile long number;

  HazelcastContender(FencedLock lock) {
    this.lock = lock;
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return answer(lock.tryLockAndGetFence());
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    return answer(lock.tryLockAndGetFence(maxWait.toMillis(), TimeUnit.MILLISECONDS));
  }

  private CompletionStage<Boolean> answer(long fence) {
    boolean granted = fence != FencedLock.INVALID_FENCE;
    if (granted) {
      number = fence;
    }
    return CompletableFuture.completedFuture(granted);
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public CompletionStage<Boolean> confirm() {
    return CompletableFuture.completedFuture(lock.isLockedByCurrentThread());
  }

  @Override
  public CompletionStage<?> release() {
    lock.unlock();
    return CompletableFuture.completedFuture(null);
  }
}
