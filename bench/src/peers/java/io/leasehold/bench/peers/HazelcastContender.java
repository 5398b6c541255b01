package io.leasehold.bench.peers;

import com.hazelcast.cp.lock.FencedLock;
import io.leasehold.bench.load.Contender;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A lock with a queue, which belongs to the thread that acquires it: that is its owner. */
record HazelcastContender(FencedLock lock) implements Contender {

  @Override
  public CompletionStage<Boolean> acquire() {
    return CompletableFuture.completedFuture(lock.tryLock());
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    return CompletableFuture.completedFuture(
        lock.tryLock(maxWait.toMillis(), TimeUnit.MILLISECONDS));
  }

  @Override
  public CompletionStage<?> release() {
    lock.unlock();
    return CompletableFuture.completedFuture(null);
  }
}
