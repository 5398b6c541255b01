package io.leasehold.memory;

import io.leasehold.LeaseException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Those who wait for the end of an attempt: its callers, and the releases that undo it. They are
 * told once; what comes later is ignored. Confined to the shared store's lock.
 */
final class Answers {

  private final Node node;
  private final List<CompletableFuture<Boolean>> callers;
  private final List<CompletableFuture<Void>> releases;
  private boolean told;

  Answers(
      Node node, List<CompletableFuture<Boolean>> callers, List<CompletableFuture<Void>> releases) {
    this.node = node;
    this.callers = List.copyOf(callers);
    this.releases = List.copyOf(releases);
  }

  boolean areTold() {
    return told;
  }

  /** The releases that have to be done when the attempt has succeeded. */
  List<CompletableFuture<Void>> releases() {
    return releases;
  }

  /**
   * Tells the callers that the lease is theirs; the releases are still to come.
   *
   * @param unwanted is run, outside the lock, when every caller had left before it was told
   */
  void granted(Runnable unwanted) {
    told = true;
    AtomicInteger left = new AtomicInteger(callers.size());
    AtomicBoolean delivered = new AtomicBoolean();
    for (CompletableFuture<Boolean> caller : callers) {
      node.later(
          () -> {
            if (caller.complete(true)) {
              delivered.set(true);
            }
            if (left.decrementAndGet() == 0 && !delivered.get()) {
              unwanted.run();
            }
          });
    }
  }

  /** Tells that another holder has the lease, and the releases that nothing is held. */
  void refused() {
    if (!told) {
      told = true;
      callers.forEach(caller -> node.later(() -> caller.complete(false)));
      releases.forEach(done -> node.later(() -> done.complete(null)));
    }
  }

  /** Tells the callers why it failed, and the releases that nothing is held. */
  void failed(LeaseException why) {
    if (!told) {
      told = true;
      callers.forEach(caller -> node.later(() -> caller.completeExceptionally(why)));
      releases.forEach(done -> node.later(() -> done.complete(null)));
    }
  }
}
