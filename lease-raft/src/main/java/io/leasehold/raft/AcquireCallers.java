package io.leasehold.raft;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The callers that share an attempt and have not been answered. Confined to the strand. */
final class AcquireCallers {

  private final LeaseNode node;
  private final List<AcquireCaller> callers = new ArrayList<>();

  AcquireCallers(LeaseNode node) {
    this.node = node;
  }

  void add(AcquireCaller caller) {
    callers.add(caller);
  }

  boolean isEmpty() {
    return callers.isEmpty();
  }

  Set<AcquireCaller> copy() {
    return Set.copyOf(callers);
  }

  /** Whether any of them waits in the queue, also one whose wait is over. */
  boolean anyWaits() {
    return callers.stream().anyMatch(AcquireCaller::waits);
  }

  /** Whether any of them has a wait that goes on. */
  boolean anyWaitsAt(long nowNanos) {
    return callers.stream().anyMatch(caller -> caller.waits() && !caller.isOverAt(nowNanos));
  }

  List<AcquireCaller> notWaiting() {
    return callers.stream().filter(caller -> !caller.waits()).toList();
  }

  /** How long until the first wait ends; {@code atMost} if none does before. */
  long untilNextWaitsEndNanos(long nowNanos, long atMost) {
    long until = atMost;
    for (AcquireCaller caller : callers) {
      if (caller.waits()) {
        until = Math.min(until, caller.waitUntilNanos() - nowNanos);
      }
    }
    return until;
  }

  /** Ends the waits that are over, and returns whose they were. */
  List<AcquireCaller> endWaits(long nowNanos) {
    List<AcquireCaller> over =
        callers.stream().filter(caller -> caller.waits() && caller.isOverAt(nowNanos)).toList();
    callers.removeAll(over);
    List<AcquireCaller> waitNoMore = over.stream().map(AcquireCaller::waitingNoMore).toList();
    callers.addAll(waitNoMore);
    return waitNoMore;
  }

  void forgetGone() {
    callers.removeIf(AcquireCaller::isGone);
  }

  /** Tells one that another holder has it; true unless it has been answered before. */
  boolean refuse(AcquireCaller caller) {
    boolean there = callers.remove(caller);
    if (there) {
      caller.future().answer(false);
    }
    return there;
  }

  void refuseEach(Predicate<AcquireCaller> which) {
    callers.stream().filter(which).forEach(caller -> caller.future().answer(false));
    callers.removeIf(which);
  }

  void answerAll(boolean result) {
    callers.forEach(caller -> caller.future().answer(result));
    callers.clear();
  }

  void failAll(Throwable failure) {
    callers.forEach(caller -> caller.future().fail(failure));
    callers.clear();
  }

  /** Tells them that the lease is theirs. */
  void deliver(Hold hold) {
    List<Completion<Boolean>> futures = callers.stream().map(AcquireCaller::future).toList();
    callers.clear();
    node.deliver(hold, futures);
  }
}
