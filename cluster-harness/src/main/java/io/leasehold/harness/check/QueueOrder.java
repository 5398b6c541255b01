package io.leasehold.harness.check;

import static java.util.Objects.requireNonNull;

import io.leasehold.harness.check.History.NodeRun;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * FIFO: nobody who asked for a lease after another one had entered its queue is granted it before.
 *
 * <p>When a waiter entered the queue is not seen from outside, but a node sends its calls in order:
 * once a call that was made after the waiter's had been handed over was answered by the store, the
 * waiter was in the queue. A waiter whose cluster was disturbed while it waited may have been
 * skipped, and is not judged.
 */
final class QueueOrder implements Check {

  @Override
  public void judge(History history, Findings findings) {
    Map<NodeRun, Answers> answers = answersByNode(history);
    for (LeaseHistory lease : history.leases()) {
      judge(history, lease, answers, findings);
    }
  }

  private static Map<NodeRun, Answers> answersByNode(History history) {
    Map<NodeRun, List<Call>> calls = new HashMap<>();
    for (LeaseHistory lease : history.leases()) {
      for (Call call : lease.calls()) {
        if (call.isAcquire() && call.isOk()) {
          calls.computeIfAbsent(runOf(call), none -> new ArrayList<>()).add(call);
        }
      }
    }
    Map<NodeRun, Answers> answers = new HashMap<>();
    calls.forEach((run, answered) -> answers.put(run, new Answers(answered)));
    return answers;
  }

  private static NodeRun runOf(Call call) {
    return new NodeRun(call.handle().node(), call.handle().run());
  }

  private static void judge(
      History history, LeaseHistory lease, Map<NodeRun, Answers> answers, Findings findings) {
    List<Call> grants =
        lease.holds().stream()
            .filter(hold -> hold.acquire() != null)
            .map(hold -> requireNonNull(hold.acquire()))
            .sorted(Comparator.comparingLong(Call::invokedAt))
            .toList();
    // Waiters that were granted, as long as a later call can still have overtaken them.
    PriorityQueue<Call> waiting = new PriorityQueue<>(Comparator.comparingLong(Call::returnedAt));
    for (Call later : grants) {
      while (!waiting.isEmpty() && waiting.peek().returnedAt() < later.invokedAt()) {
        waiting.poll();
      }
      for (Call waiter : waiting) {
        long entered = requireNonNull(answers.get(runOf(waiter))).firstAfterHandOver(waiter);
        if (entered < later.invokedAt()) {
          judgePair(history, lease, waiter, later, findings);
        }
      }
      if (later.invoke().waitNanos() > 0 && requireNonNull(later.end()).handedAt() != 0) {
        waiting.add(later);
      }
    }
  }

  private static void judgePair(
      History history, LeaseHistory lease, Call waiter, Call later, Findings findings) {
    long from = Math.min(waiter.invokedAt(), later.invokedAt());
    if (!history.calm().between(from, Math.max(waiter.returnedAt(), later.returnedAt()))) {
      return;
    }
    findings.judged(Rule.FIFO, 1);
    if (later.token() < waiter.token()) {
      findings.violated(
          Rule.FIFO,
          lease.name(),
          later.returnedAt(),
          "token %d overtook a waiter that had come first".formatted(later.token()),
          List.of(Evidence.of("waiter", waiter), Evidence.of("overtook it", later)));
    }
  }

  /** The calls of one node that the store answered, in the order of their invocations. */
  private static final class Answers {
    private final long[] invoked;
    private final long[] firstReturn;

    Answers(List<Call> calls) {
      calls.sort(Comparator.comparingLong(Call::invokedAt));
      invoked = calls.stream().mapToLong(Call::invokedAt).toArray();
      firstReturn = new long[invoked.length + 1];
      firstReturn[invoked.length] = Call.NEVER;
      for (int i = invoked.length - 1; i >= 0; i--) {
        firstReturn[i] = Math.min(firstReturn[i + 1], calls.get(i).returnedAt());
      }
    }

    /** When the first call that was made after the waiter's had been handed over was answered. */
    long firstAfterHandOver(Call waiter) {
      long handedAt = requireNonNull(waiter.end()).handedAt();
      int low = 0;
      int high = invoked.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (invoked[middle] >= handedAt) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return firstReturn[low];
    }
  }
}
