package io.leasehold.harness.check;

import io.leasehold.harness.check.history.Handle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One lease's part of a history. Since tokens grow, they give the order of the holds, and no order
 * has to be searched for.
 */
final class LeaseHistory {

  private final String name;
  private final List<Call> calls;
  private final List<Hold> holds;
  private final List<Call> revocations;
  private final @Nullable Hold[] successors;

  /**
   * @param calls in the order of their invocations
   * @param holds in the order of their tokens
   */
  LeaseHistory(String name, List<Call> calls, List<Hold> holds) {
    this.name = name;
    this.calls = List.copyOf(calls);
    this.holds = List.copyOf(holds);
    this.revocations = this.calls.stream().filter(Call::isRevoke).toList();
    this.successors = successors(this.holds);
  }

  private static @Nullable Hold[] successors(List<Hold> holds) {
    @Nullable Hold[] successors = new Hold[holds.size()];
    Hold earliest = null;
    for (int i = holds.size() - 1; i >= 0; i--) {
      successors[i] = earliest;
      Hold hold = holds.get(i);
      boolean sameToken = i > 0 && holds.get(i - 1).token() == hold.token();
      if (!sameToken && (earliest == null || hold.provenAt() < earliest.provenAt())) {
        earliest = hold;
      }
    }
    return successors;
  }

  String name() {
    return name;
  }

  List<Call> calls() {
    return calls;
  }

  List<Hold> holds() {
    return holds;
  }

  /**
   * Of all holds with a greater token than that of the hold at {@code index}, the one that was
   * proven first; null when there is none. From then on the older hold was over.
   */
  @Nullable Hold successor(int index) {
    return successors[index];
  }

  /** When the hold at {@code index} was certainly over because a later one had been granted. */
  long supersededAt(int index) {
    Hold successor = successors[index];
    return successor == null ? Call.NEVER : successor.provenAt();
  }

  /**
   * Whether the hold at {@code index} ended in a way that is documented as unsafe: an unsafe
   * revocation, or its own owner's reclaim from a newer session.
   */
  boolean endedUnsafely(int index) {
    Hold hold = holds.get(index);
    for (Call call : revocations) {
      if (call.invoke().unsafe() && call.invoke().token() == hold.token()) {
        return true;
      }
    }
    return index + 1 < holds.size() && reclaims(holds.get(index + 1), hold.handle());
  }

  private static boolean reclaims(Hold next, Handle former) {
    Call acquire = next.acquire();
    return acquire != null
        && acquire.invoke().reclaim()
        && acquire.handle().owner().equals(former.owner());
  }

  /**
   * The revocation that was aimed at this hold and invoked first; null when nobody asked for one.
   */
  @Nullable Call revocationOf(Hold hold) {
    for (Call call : revocations) {
      if (!call.isFailed() && call.invoke().token() == hold.token()) {
        return call;
      }
    }
    return null;
  }

  /**
   * The calls that were under way between two instants, at most {@code max} of them; not those that
   * were long since without an answer.
   */
  List<Call> callsBetween(long from, long to, int max) {
    List<Call> found = new ArrayList<>();
    for (Call call : calls) {
      if (call.invokedAt() > to || found.size() == max) {
        break;
      }
      boolean forgotten = call.returnedAt() == Call.NEVER && call.invokedAt() < from;
      if (call.returnedAt() >= from && !forgotten) {
        found.add(call);
      }
    }
    return found;
  }
}
