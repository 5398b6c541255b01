package io.leasehold.raft;

import io.leasehold.store.core.Command;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * What waits to be sent to the store, in the order in which it is to go: what gives back or asks
 * comes before what wants more, so that under pressure leases become free and callers learn of it.
 * Neither order changes within itself, and what has been sent once keeps its place: a {@link
 * Command.Leave} follows the acquire that it undoes, which could not be withdrawn any more.
 *
 * <p>Confined to the strand.
 */
final class Outbox {

  private final Deque<Call> first = new ArrayDeque<>();
  private final Deque<Call> last = new ArrayDeque<>();

  int size() {
    return first.size() + last.size();
  }

  boolean isEmpty() {
    return first.isEmpty() && last.isEmpty();
  }

  void add(Call call) {
    (isLast(call.command()) ? last : first).add(call);
  }

  /** The end of the session comes after all that was to be done in it. */
  private static boolean isLast(Command command) {
    return command instanceof Command.Acquire || command instanceof Command.CloseSession;
  }

  /** Takes calls back that were sent together and have certainly not arrived. */
  void putBack(List<Call> calls) {
    for (int i = calls.size() - 1; i >= 0; i--) {
      first.addFirst(calls.get(i));
    }
  }

  /** Removes the next calls, but not those that have been withdrawn. */
  List<Call> next(int most) {
    List<Call> calls = new ArrayList<>(Math.min(most, size()));
    while (calls.size() < most && !isEmpty()) {
      Call call = (first.isEmpty() ? last : first).remove();
      if (!call.isWithdrawn()) {
        calls.add(call);
      }
    }
    return calls;
  }

  /** Removes all that are there now, or come meanwhile, in their order. */
  void drain(Consumer<Call> taker) {
    while (!isEmpty()) {
      next(1).forEach(taker);
    }
  }
}
