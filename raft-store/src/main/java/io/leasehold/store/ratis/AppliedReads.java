package io.leasehold.store.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.leasehold.store.ProposeException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Who waits for this replica to have applied the log up to some index. Safe for many threads;
 * futures complete outside the lock.
 */
final class AppliedReads {

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final TreeMap<Long, List<CompletableFuture<Void>>> waiting = new TreeMap<>();

  @GuardedBy("lock")
  private long applied = -1;

  @GuardedBy("lock")
  private String closedBecause = "";

  /** Returns a future that completes when the index has been applied. */
  CompletableFuture<Void> await(long index) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    synchronized (lock) {
      if (!closedBecause.isEmpty()) {
        future.completeExceptionally(new ProposeException(closedBecause, true, null));
      } else if (index <= applied) {
        future.complete(null);
      } else {
        waiting.computeIfAbsent(index, unused -> new ArrayList<>(1)).add(future);
      }
    }
    return future;
  }

  /** Forgets a future that nobody waits for any more. */
  void forget(long index, CompletableFuture<Void> future) {
    synchronized (lock) {
      waiting.computeIfPresent(
          index,
          (unused, futures) -> {
            futures.removeIf(each -> each == future);
            return futures.isEmpty() ? null : futures;
          });
    }
  }

  /** The index has been applied. */
  void applied(long index) {
    List<CompletableFuture<Void>> due = new ArrayList<>(0);
    synchronized (lock) {
      applied = Math.max(applied, index);
      while (!waiting.isEmpty() && waiting.firstKey() <= applied) {
        due.addAll(waiting.pollFirstEntry().getValue());
      }
    }
    due.forEach(future -> future.complete(null));
  }

  /** Nothing will be applied any more. */
  void close(String because) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    synchronized (lock) {
      if (closedBecause.isEmpty()) {
        closedBecause = because;
      }
      waiting.values().forEach(all::addAll);
      waiting.clear();
    }
    all.forEach(future -> future.completeExceptionally(new ProposeException(because, true, null)));
  }
}
