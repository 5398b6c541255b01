package io.leasehold.harness.check;

import io.leasehold.LeaseEvent;
import io.leasehold.LeaseLost.Reason;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent;
import io.leasehold.harness.check.history.HistoryEvent.Fault;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Mark;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import io.leasehold.harness.check.history.HistoryEvent.Task;
import io.leasehold.harness.check.history.HistoryEvent.Watched;
import io.leasehold.harness.check.history.HistoryHeader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A history told by hand, in milliseconds, about the lease {@code printer}. Drift is a tenth, an
 * answer takes at most a second, a handler 100 ms, settling no time, recovery 10 s.
 */
final class Story {

  static final Handle A = new Handle("n1", 1, "a", "printer");
  static final Handle B = new Handle("n2", 1, "b", "printer");
  static final Handle C = new Handle("n3", 1, "c", "printer");

  private static final long TTL = 1_000;

  private final List<HistoryEvent> events = new ArrayList<>();
  private long calls;
  private int faults;

  /** Acquired at once. */
  Story granted(Handle by, long from, long to, long token) {
    return granted(by, from, to, token, 0);
  }

  /** Acquired from the queue; handed over a millisecond after the call. */
  Story granted(Handle by, long from, long to, long token, long wait) {
    events.add(Invoke.acquire(nanos(from), ++calls, by, nanos(TTL), nanos(wait)));
    events.add(Return.granted(nanos(to), calls, token).handedAt(nanos(from + 1)));
    return this;
  }

  Story refused(Handle by, long from, long to) {
    return refused(by, from, to, 0);
  }

  Story refused(Handle by, long from, long to, long wait) {
    events.add(Invoke.acquire(nanos(from), ++calls, by, nanos(TTL), nanos(wait)));
    events.add(Return.answered(nanos(to), calls, false));
    return this;
  }

  /** An acquire whose outcome nobody knows, or that certainly failed. */
  Story failed(Handle by, long from, long to, boolean certainly) {
    events.add(Invoke.acquire(nanos(from), ++calls, by, nanos(TTL), 0));
    events.add(Return.failed(nanos(to), calls, certainly, "told so"));
    return this;
  }

  /** Released; called within a millisecond. */
  Story released(Handle by, long from, long to) {
    events.add(Invoke.release(nanos(from), ++calls, by));
    events.add(Return.answered(nanos(to), calls, true).handedAt(nanos(from + 1)));
    return this;
  }

  Story revoked(Handle by, long from, long to, long token, boolean unsafe) {
    events.add(
        new Invoke(
            nanos(from), ++calls, HistoryEvent.Operation.REVOKE, by, 0, 0, false, token, unsafe));
    events.add(Return.answered(nanos(to), calls, true));
    return this;
  }

  Story alive(Handle by, long token, long... instants) {
    for (long instant : instants) {
      events.add(Sample.of(by, token, true, nanos(instant), nanos(instant) + 1));
    }
    return this;
  }

  Story notAlive(Handle by, long... instants) {
    for (long instant : instants) {
      events.add(Sample.of(by, 0, false, nanos(instant), nanos(instant) + 1));
    }
    return this;
  }

  Story lost(Handle by, long token, long at, Reason reason) {
    events.add(Lost.of(by, nanos(at), token, reason));
    return this;
  }

  Story life(String node, int run, long at, Life.Step step) {
    events.add(new Life(nanos(at), node, run, step));
    return this;
  }

  Story fault(long from, long to) {
    int id = ++faults;
    events.add(
        new Fault(nanos(from), id, true, "partition", List.of(), Map.of(), true, true, "told"));
    events.add(
        new Fault(nanos(to), id, false, "partition", List.of(), Map.of(), true, true, "told"));
    return this;
  }

  Story observed(Handle observer, long at, LeaseEvent.Kind kind, Handle holder, long token) {
    events.add(
        new Watched(
            nanos(at),
            observer.node(),
            observer.run(),
            kind,
            holder.lease(),
            holder.owner(),
            holder.node(),
            token));
    return this;
  }

  Story and(HistoryEvent event) {
    events.add(event);
    return this;
  }

  /** A task's moment. */
  Story task(Handle by, long task, long token, long at, Task.Moment moment) {
    events.add(new Task(nanos(at), nanos(at) + 1, task, by, token, moment));
    return this;
  }

  Story faultsOver(long at) {
    events.add(new Mark(nanos(at), Mark.What.FAULTS_OVER));
    return this;
  }

  /** Ends the record and names the rules that it breaks. */
  Set<Rule> brokenBy(long end) {
    Set<Rule> broken = EnumSet.noneOf(Rule.class);
    judged(end).verdict().violations().forEach(violation -> broken.add(violation.rule()));
    return broken;
  }

  /** Ends the record and has it judged. */
  Judgement judged(long end) {
    events.add(new Mark(nanos(end), Mark.What.END));
    HistoryHeader.Parameters parameters =
        new HistoryHeader.Parameters(0.1, 0, nanos(1_000), nanos(100), nanos(10_000));
    HistoryHeader header = HistoryHeader.of(1, "told", List.of("n1", "n2", "n3"), parameters);
    return HistoryChecker.check(header, events);
  }

  static long nanos(long millis) {
    return millis * 1_000_000;
  }
}
