package io.leasehold.bench.peers;

import io.leasehold.bench.load.Contender;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jgroups.raft.RaftHandle;

/**
 * Each acquire and release is an entry of the log. There is no queue to wait in: whoever is refused
 * asks again at once.
 */
final class JGroupsContender implements Contender {

  private final RaftHandle replica;
  private final byte[] acquire;
  private final byte[] release;

  JGroupsContender(RaftHandle replica, String lease, String owner) {
    this.replica = replica;
    this.acquire = LockTable.acquire(lease, owner);
    this.release = LockTable.release(lease, owner);
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    return set(acquire).thenApply(JGroupsContender::isGranted);
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
  public CompletionStage<?> release() {
    return set(release);
  }

  private static boolean isGranted(byte[] result) {
    return LockTable.numberIn(result) != LockTable.REFUSED;
  }

  private CompletableFuture<byte[]> set(byte[] command) {
    try {
      return replica.setAsync(command, 0, command.length);
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
