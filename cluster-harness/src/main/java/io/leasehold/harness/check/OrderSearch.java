package io.leasehold.harness.check;

import io.leasehold.harness.check.history.Handle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Searches an order for the calls of one lease in which every answer is right.
 *
 * <p>It goes through the returns in the order of time and keeps every state the lease can be in:
 * who has it, the last token, and which calls under way have already taken effect (Wing and Gong's
 * search in Lowe's form, just in time). When a call returns, the states in which it has not taken
 * effect, and cannot, are dropped; when none is left, no such order exists.
 *
 * <p>Some changes happen by themselves: a hold may end once it may have been released, revoked,
 * given back or run out, but not while it was seen alive; and an acquire whose outcome is not known
 * may hold the lease silently, for as long as S15 lets it. The tokens give the order of the grants,
 * so the states stay few; a lease with more than {@value #STATES_MAX} of them, or more than 64
 * calls at once, is judged no further.
 */
final class OrderSearch {

  private static final int STATES_MAX = 20_000;
  private static final long NOBODY = 0;

  /**
   * A state the lease can be in.
   *
   * @param holder a token, {@link #NOBODY}, or minus the number of a silent holder
   * @param lastToken the greatest token granted
   * @param effective the slots of the calls under way that have taken effect
   */
  private record State(long holder, long lastToken, long effective) {}

  /** An instant at which a call begins or returns. */
  private record Step(long at, boolean returns, Call call) {}

  /** A time in which an acquire may have been granted without anybody being told. */
  private record Silence(long number, long from, long to) {}

  private final History history;
  private final LeaseHistory lease;
  private final double drift;
  private final Map<Long, Hold> holds = new HashMap<>();
  private final Map<Long, Long> mayEndFrom = new HashMap<>();
  private final Map<Call, Set<Long>> endedBy = new HashMap<>();
  private final Map<Handle, Long> numbers = new HashMap<>();
  private final List<Handle> handles = new ArrayList<>();
  private final Deque<Silence> silencesToCome = new ArrayDeque<>();
  private final List<Silence> silences = new ArrayList<>();
  private final @Nullable Call[] slots = new Call[Long.SIZE];
  private Set<State> states = Set.of(new State(NOBODY, 0, 0));
  private long now = Long.MIN_VALUE;

  OrderSearch(History history, LeaseHistory lease) {
    this.history = history;
    this.lease = lease;
    drift = history.header().parameters().drift();
    for (int i = 0; i < lease.holds().size(); i++) {
      Hold hold = lease.holds().get(i);
      holds.put(hold.token(), hold);
      mayEndFrom.put(hold.token(), lease.endedUnsafely(i) ? Long.MIN_VALUE : earliestEnd(hold));
      if (hold.release() != null && hold.grantedAt() < hold.release().invokedAt()) {
        endedBy.computeIfAbsent(hold.release(), none -> new HashSet<>()).add(hold.token());
      }
    }
    lease.calls().stream().map(this::silence).forEach(this::expect);
  }

  private long earliestEnd(Hold hold) {
    if (hold.acquire() == null) {
      return Long.MIN_VALUE;
    }
    long end =
        Math.min(Ending.byIntent(history, lease, hold), Ending.byExpiry(hold.acquire(), drift));
    return Math.max(end, hold.lastAliveAt());
  }

  private @Nullable Silence silence(Call call) {
    if (call.mayHideAGrant()) {
      long handsOff = Math.min(call.returnedAt(), history.nodeOf(call.handle()).endedAt());
      long ttl = (long) (call.invoke().ttlNanos() * (1 + drift));
      long due = history.calm().after(handsOff, ttl + history.header().parameters().answerNanos());
      return new Silence(number(call.handle()), call.invokedAt(), due);
    }
    return call.isRefusal() && call.invoke().waitNanos() > 0
        ? new Silence(number(call.handle()), call.invokedAt(), call.returnedAt())
        : null;
  }

  private void expect(@Nullable Silence silence) {
    if (silence != null) {
      silencesToCome.add(silence);
    }
  }

  private long number(Handle handle) {
    return numbers.computeIfAbsent(
        handle,
        unknown -> {
          handles.add(unknown);
          return (long) handles.size();
        });
  }

  void run(Findings findings) {
    for (Step step : steps()) {
      if (step.returns()) {
        Set<State> before = states;
        states = statesAfter(step);
        findings.judged(Rule.LIN, 1);
        if (states.isEmpty()) {
          violated(step, before, findings);
          return;
        }
        if (states.size() > STATES_MAX) {
          return;
        }
      } else if (!takeSlot(step.call())) {
        return;
      }
    }
  }

  private List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    for (Call call : lease.calls()) {
      boolean answers = call.isRefusal() || (call.isGrant() && call.token() != 0);
      if (answers) {
        long from = call.isRefusal() ? HonestRefusals.refusedFrom(call, drift) : call.invokedAt();
        steps.add(new Step(Math.min(from, call.returnedAt()), false, call));
      }
      if (answers || (call.isRelease() && call.isOk() && endedBy.containsKey(call))) {
        steps.add(new Step(call.returnedAt(), true, call));
      }
    }
    steps.sort(Comparator.comparingLong(Step::at).thenComparing(Step::returns));
    return steps;
  }

  private boolean takeSlot(Call call) {
    for (int slot = 0; slot < slots.length; slot++) {
      if (slots[slot] == null) {
        slots[slot] = call;
        return true;
      }
    }
    return false;
  }

  private int slotOf(Call call) {
    for (int slot = 0; slot < slots.length; slot++) {
      Call taken = slots[slot];
      if (taken != null && taken.id() == call.id()) {
        return slot;
      }
    }
    return -1;
  }

  /**
   * The states at a return in which the call has taken effect: all that were, carried on until
   * then.
   */
  private Set<State> statesAfter(Step step) {
    while (!silencesToCome.isEmpty() && silencesToCome.peek().from() <= step.at()) {
      silences.add(silencesToCome.remove());
    }
    silences.removeIf(silence -> silence.to() < now);
    now = step.at();
    int slot = slotOf(step.call());
    long bit = slot < 0 ? 0 : 1L << slot;
    Set<Long> ended = endedBy.getOrDefault(step.call(), Set.of());
    Set<State> after = new HashSet<>();
    Set<State> seen = new HashSet<>(states);
    Deque<State> open = new ArrayDeque<>(states);
    while (!open.isEmpty() && seen.size() <= STATES_MAX) {
      State state = open.remove();
      boolean done = slot < 0 ? !ended.contains(state.holder()) : (state.effective() & bit) != 0;
      if (done) {
        after.add(new State(state.holder(), state.lastToken(), state.effective() & ~bit));
      } else {
        follow(
            state,
            next -> {
              if (seen.add(next)) {
                open.add(next);
              }
            });
      }
    }
    if (slot >= 0) {
      slots[slot] = null;
    }
    return open.isEmpty() ? after : seen;
  }

  /** Every state that can come next. */
  private void follow(State state, Consumer<State> next) {
    if (state.holder() != NOBODY && mayEnd(state.holder())) {
      next.accept(new State(NOBODY, state.lastToken(), state.effective()));
    }
    if (state.holder() == NOBODY) {
      for (Silence silence : silences) {
        next.accept(new State(-silence.number(), state.lastToken(), state.effective()));
      }
    }
    for (int slot = 0; slot < slots.length; slot++) {
      Call call = slots[slot];
      long bit = 1L << slot;
      if (call == null || (state.effective() & bit) != 0) {
        continue;
      }
      long effective = state.effective() | bit;
      if (call.isRefusal()) {
        if (state.holder() != NOBODY && !holderOf(state.holder()).equals(call.handle())) {
          next.accept(new State(state.holder(), state.lastToken(), effective));
        }
      } else if (state.holder() == call.token()) {
        next.accept(new State(state.holder(), state.lastToken(), effective));
      } else if (call.token() > state.lastToken() && isFreeFor(state.holder(), call.handle())) {
        next.accept(new State(call.token(), call.token(), effective));
      }
    }
  }

  private boolean mayEnd(long holder) {
    return holder < 0 || mayEndFrom.getOrDefault(holder, Long.MIN_VALUE) <= now;
  }

  /** A holder that has lost the lease may be granted it again while the store still has it so. */
  private boolean isFreeFor(long holder, Handle handle) {
    if (holder == NOBODY) {
      return true;
    }
    Hold hold = holds.get(holder);
    return holderOf(holder).equals(handle) && (hold == null || hold.lastAliveAt() <= now);
  }

  private Handle holderOf(long holder) {
    if (holder < 0) {
      return handles.get((int) -holder - 1);
    }
    Hold hold = holds.get(holder);
    if (hold == null) {
      throw new IllegalStateException("no hold has token " + holder);
    }
    return hold.handle();
  }

  private void violated(Step step, Set<State> before, Findings findings) {
    List<Evidence> evidence = new ArrayList<>();
    before.stream()
        .map(State::holder)
        .filter(holder -> holder > 0)
        .distinct()
        .sorted()
        .map(holds::get)
        .forEach(hold -> evidence.add(Evidence.grantOf("may have held it", hold)));
    evidence.add(Evidence.of("cannot be placed", step.call()));
    for (Call call : slots) {
      if (call != null) {
        evidence.add(Evidence.of("under way", call));
      }
    }
    findings.violated(
        Rule.LIN,
        lease.name(),
        step.at(),
        "there is no order of the calls in which every answer is right",
        evidence);
  }
}
