package io.leasehold.harness.check;

import io.leasehold.harness.check.Calm.Disturbance;
import io.leasehold.harness.check.History.Malformed;
import io.leasehold.harness.check.History.NodeRun;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent;
import io.leasehold.harness.check.history.HistoryEvent.Digest;
import io.leasehold.harness.check.history.HistoryEvent.Fault;
import io.leasehold.harness.check.history.HistoryEvent.Guarded;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Life.Step;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Mark;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import io.leasehold.harness.check.history.HistoryEvent.Task;
import io.leasehold.harness.check.history.HistoryEvent.Watched;
import io.leasehold.harness.check.history.HistoryHeader;
import io.leasehold.harness.check.history.HistoryReader;
import io.leasehold.harness.check.history.UnreadableHistoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Builds a {@link History} from its events, in whatever order they come: each process writes its
 * own in order, and no rule depends on how the parts were put together. Not safe for many threads.
 */
final class HistoryIndex {

  private final Map<Handle, Handle> handles = new HashMap<>();
  private final Map<Long, Invoke> invocations = new HashMap<>();
  private final Map<Long, Return> returns = new HashMap<>();
  private final Map<Handle, HandleIndex> byHandle = new HashMap<>();
  private final List<Malformed> malformed = new ArrayList<>();
  private final List<Lost> losses = new ArrayList<>();
  private final List<Life> lives = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private final List<Watched> watched = new ArrayList<>();
  private final List<Guarded> guarded = new ArrayList<>();
  private final List<Digest> digests = new ArrayList<>();
  private final Map<Long, TaskRun> tasks = new TreeMap<>();
  private long sampleCount;
  private long endedAt;
  private long faultsOverAt = Call.NEVER;

  /** Reads and indexes a whole history. */
  static History read(Path file) throws UnreadableHistoryException {
    HistoryIndex index = new HistoryIndex();
    HistoryHeader header = HistoryReader.read(file, index::add);
    return index.build(header);
  }

  /** Indexes a history that is at hand. */
  static History of(HistoryHeader header, List<HistoryEvent> events) {
    HistoryIndex index = new HistoryIndex();
    events.forEach(index::add);
    return index.build(header);
  }

  void add(HistoryEvent event) {
    endedAt = Math.max(endedAt, event.at());
    if (event instanceof Sample sample) {
      sampleCount += sample.count();
      endedAt = Math.max(endedAt, sample.lastAfter());
      handle(sample.handle()).add(sample);
    } else if (event instanceof Invoke invoke) {
      Invoke earlier = invocations.putIfAbsent(invoke.call(), invoke);
      if (earlier != null) {
        malformed.add(new Malformed(new Call(invoke, null), "its number was used before"));
      }
    } else if (event instanceof Return end) {
      Return earlier = returns.putIfAbsent(end.call(), end);
      Invoke invoke = invocations.get(end.call());
      if (earlier != null && invoke != null) {
        malformed.add(new Malformed(new Call(invoke, end), "it returned twice"));
      }
    } else if (event instanceof Lost lost) {
      losses.add(lost);
    } else if (event instanceof Life life) {
      lives.add(life);
    } else if (event instanceof Fault fault) {
      faults.add(fault);
    } else if (event instanceof Watched seen) {
      watched.add(seen);
    } else if (event instanceof Guarded write) {
      guarded.add(write);
    } else if (event instanceof Digest digest) {
      digests.add(digest);
    } else if (event instanceof Task task) {
      tasks.compute(task.task(), (number, run) -> run == null ? TaskRun.of(task) : run.and(task));
    } else if (event instanceof Mark mark) {
      if (mark.what() == Mark.What.FAULTS_OVER) {
        faultsOverAt = mark.at();
      }
    } else {
      throw new IllegalStateException("an event of an unknown kind: " + event);
    }
  }

  History build(HistoryHeader header) {
    Map<String, List<Call>> callsByLease = joinCalls();
    losses.sort(Comparator.comparingLong(Lost::at));
    lives.sort(Comparator.comparingLong(Life::at));
    for (Lost lost : losses) {
      handle(lost.handle()).add(lost);
    }
    Map<String, List<Hold>> holdsByLease = new HashMap<>();
    Map<Handle, List<Sample>> samples = new HashMap<>();
    Map<Handle, List<Call>> callsByHandle = new HashMap<>();
    Map<Handle, long[]> unknownAcquires = new HashMap<>();
    byHandle.forEach(
        (handle, index) -> {
          holdsByLease
              .computeIfAbsent(handle.lease(), name -> new ArrayList<>())
              .addAll(index.holds());
          samples.put(handle, index.samples());
          callsByHandle.put(handle, index.calls());
          unknownAcquires.put(handle, index.unknownAcquires());
          callsByLease.computeIfAbsent(handle.lease(), name -> new ArrayList<>());
        });
    List<LeaseHistory> leases = new ArrayList<>();
    callsByLease.forEach(
        (name, calls) -> {
          List<Hold> holds = holdsByLease.getOrDefault(name, new ArrayList<>());
          holds.sort(Comparator.comparingLong(Hold::token).thenComparingLong(Hold::provenAt));
          leases.add(new LeaseHistory(name, calls, holds));
        });
    watched.sort(Comparator.comparingLong(Watched::at));
    List<FaultSpan> spans = spans();
    return new History(
        header,
        List.copyOf(leases),
        samples,
        callsByHandle,
        unknownAcquires,
        List.copyOf(losses),
        List.copyOf(lives),
        nodes(),
        spans,
        List.copyOf(watched),
        List.copyOf(guarded),
        List.copyOf(digests),
        List.copyOf(tasks.values()),
        List.copyOf(malformed),
        new Calm(disturbances(spans), header.parameters().settleNanos()),
        Math.min(faultsOverAt, endedAt),
        endedAt,
        sampleCount);
  }

  private Map<String, List<Call>> joinCalls() {
    List<Call> calls = new ArrayList<>(invocations.size());
    for (Invoke invoke : invocations.values()) {
      calls.add(new Call(invoke, returns.remove(invoke.call())));
    }
    calls.sort(Comparator.comparingLong(Call::invokedAt).thenComparingLong(Call::id));
    Map<String, List<Call>> byLease = new TreeMap<>();
    for (Call call : calls) {
      if (call.returnedAt() < call.invokedAt()) {
        malformed.add(new Malformed(call, "it returned before it was invoked"));
      }
      byLease.computeIfAbsent(call.lease(), name -> new ArrayList<>()).add(call);
      handle(call.handle()).add(call);
    }
    return byLease;
  }

  private HandleIndex handle(Handle handle) {
    Handle known = handles.computeIfAbsent(handle, first -> first);
    return byHandle.computeIfAbsent(known, HandleIndex::new);
  }

  private Map<NodeRun, NodeHistory> nodes() {
    Map<NodeRun, List<Life>> byRun = new HashMap<>();
    for (Life life : lives) {
      byRun
          .computeIfAbsent(new NodeRun(life.node(), life.run()), run -> new ArrayList<>())
          .add(life);
    }
    Map<NodeRun, NodeHistory> nodes = new HashMap<>();
    byRun.forEach((run, steps) -> nodes.put(run, new NodeHistory(steps)));
    return nodes;
  }

  private List<FaultSpan> spans() {
    Map<Integer, Long> ends = new HashMap<>();
    for (Fault fault : faults) {
      if (!fault.begins()) {
        ends.put(fault.id(), fault.at());
      }
    }
    return faults.stream()
        .filter(Fault::begins)
        .sorted(Comparator.comparingLong(Fault::at))
        .map(fault -> new FaultSpan(fault, ends.getOrDefault(fault.id(), endedAt)))
        .toList();
  }

  private List<Disturbance> disturbances(List<FaultSpan> spans) {
    List<Disturbance> disturbances = new ArrayList<>();
    for (FaultSpan span : spans) {
      if (span.fault().disturbs() && span.fault().injected()) {
        disturbances.add(new Disturbance(span.beganAt(), span.endedAt()));
      }
    }
    Map<NodeRun, Life> unfinished = new HashMap<>();
    for (Life life : lives) {
      NodeRun run = new NodeRun(life.node(), life.run());
      Life begun = unfinished.remove(run);
      disturbances.add(new Disturbance(begun == null ? life.at() : begun.at(), life.at()));
      if (life.step() == Step.START || life.step() == Step.PAUSE) {
        unfinished.put(run, life);
      }
    }
    unfinished.values().forEach(life -> disturbances.add(new Disturbance(life.at(), endedAt)));
    return disturbances;
  }
}
