package io.leasehold.bench.peers;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jgroups.raft.RaftHandle;

/**
 * Each acquire and release is an entry of the log. There is no queue to wait in: whoever is refused
 * asks again at once.
 */
final class JGroupsContender implements NumberedContender {

  private final RaftHandle replica;
  private final byte[] acquire;
  private final byte[] release;
  private volatile long number;

  JGroupsContender(RaftHandle replica, String lease, String owner) {
    this.replica = replica;
    this.acquire = LockTable.acquire(lease, owner);
    this.release = LockTable.release(lease, owner);
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return set(acquire).thenApply(this::isGranted);
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    poll(answer, System.nanoTime(), maxWait);
    return answer;
  }

  private void poll(CompletableFuture<Boolean> answer, long start, Duration maxWait) {
    set(acquire)
        .whenComplete(
            (result, failure) -> {
              if (failure != null) {
                answer.completeExceptionally(failure);
              } else if (isGranted(result)) {
                answer.complete(true);
              } else if (System.nanoTime() - start >= maxWait.toNanos()) {
                answer.complete(false);
              } else {
                poll(answer, start, maxWait);
              }
            });
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public CompletionStage<Boolean> confirm() {
    return acquire();
  }

  @Override
  public CompletionStage<?> release() {
    return set(release);
  }

  private boolean isGranted(byte[] result) {
    long answer = LockTable.numberIn(result);
    if (answer != LockTable.REFUSED) {
      number = answer;
    }
    return answer != LockTable.REFUSED;
  }

  private CompletableFuture<byte[]> set(byte[] command) {
    try {
      return replica.setAsync(command, 0, command.length);
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
