package io.leasehold.harness.chaos;

import io.leasehold.harness.check.history.HistoryEvent;
import io.leasehold.harness.check.history.HistoryEvent.Digest;
import io.leasehold.harness.check.history.HistoryEvent.Fault;
import io.leasehold.harness.check.history.HistoryEvent.Guarded;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Mark;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import io.leasehold.harness.check.history.HistoryEvent.Task;
import io.leasehold.harness.check.history.HistoryEvent.Watched;
import io.leasehold.harness.check.history.HistoryHeader;
import io.leasehold.harness.check.history.HistoryReader;
import io.leasehold.harness.check.history.HistoryWriter;
import io.leasehold.harness.check.history.UnreadableHistoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Makes one history of what each process wrote on its own clock: every stamp becomes one of the
 * harness' clock, counted from the start of the run, and widened by what is not known of the clock.
 */
final class HistoryMerge {

  /** What one process wrote, and its clock. */
  record Part(Path file, NodeClock clock) {}

  private final long start;
  private final List<HistoryEvent> events = new ArrayList<>();

  private HistoryMerge(long start) {
    this.start = start;
  }

  /**
   * Writes the whole history, in the order of time.
   *
   * @param start the reading of the harness' clock that the history counts from
   */
  static void write(Path file, HistoryHeader header, long start, List<Part> parts)
      throws IOException, UnreadableHistoryException {
    HistoryMerge merge = new HistoryMerge(start);
    for (Part part : parts) {
      if (!Files.exists(part.file())) {
        continue; // Killed before it had anything to say.
      }
      HistoryReader.readFragment(part.file(), event -> merge.add(part.clock(), event));
    }
    merge.events.sort(Comparator.comparingLong(HistoryEvent::at));
    try (HistoryWriter writer = HistoryWriter.create(file, header)) {
      merge.events.forEach(writer::append);
    }
  }

  private void add(NodeClock clock, HistoryEvent event) {
    events.add(translated(clock, event));
  }

  private HistoryEvent translated(NodeClock clock, HistoryEvent event) {
    if (event instanceof Sample sample) {
      return new Sample(
          sample.handle(),
          sample.token(),
          sample.alive(),
          early(clock, sample.before()),
          late(clock, sample.after()),
          early(clock, sample.lastBefore()),
          late(clock, sample.lastAfter()),
          sample.count());
    } else if (event instanceof Invoke invoke) {
      return new Invoke(
          early(clock, invoke.at()),
          invoke.call(),
          invoke.op(),
          invoke.handle(),
          invoke.ttlNanos(),
          invoke.waitNanos(),
          invoke.reclaim(),
          invoke.token(),
          invoke.unsafe());
    } else if (event instanceof Return end) {
      return new Return(
          late(clock, end.at()),
          end.call(),
          end.outcome(),
          end.yes(),
          end.token(),
          end.handedAt() == 0 ? 0 : late(clock, end.handedAt()),
          end.acquisition(),
          end.error());
    } else if (event instanceof Lost lost) {
      return new Lost(
          early(clock, lost.from()),
          late(clock, lost.at()),
          lost.handle(),
          lost.token(),
          lost.reason());
    } else if (event instanceof Watched seen) {
      return new Watched(
          late(clock, seen.at()),
          seen.node(),
          seen.run(),
          seen.kind(),
          seen.lease(),
          seen.owner(),
          seen.holder(),
          seen.token());
    } else if (event instanceof Guarded write) {
      return new Guarded(
          late(clock, write.at()),
          early(clock, write.before()),
          write.node(),
          write.run(),
          write.resource(),
          write.token(),
          write.accepted(),
          write.value());
    } else if (event instanceof Life life) {
      return new Life(early(clock, life.at()), life.node(), life.run(), life.step());
    } else if (event instanceof Fault fault) {
      return new Fault(
          early(clock, fault.at()),
          fault.id(),
          fault.begins(),
          fault.kind(),
          fault.targets(),
          fault.parameters(),
          fault.disturbs(),
          fault.injected(),
          fault.means());
    } else if (event instanceof Mark mark) {
      return new Mark(late(clock, mark.at()), mark.what());
    } else if (event instanceof Digest digest) {
      return new Digest(
          late(clock, digest.at()),
          early(clock, digest.before()),
          digest.node(),
          digest.run(),
          digest.index(),
          digest.leaseTimeNanos(),
          digest.lastToken(),
          digest.digest());
    } else if (event instanceof Task task) {
      return new Task(
          early(clock, task.from()),
          late(clock, task.at()),
          task.task(),
          task.handle(),
          task.token(),
          task.moment());
    }
    throw new IllegalStateException("an event of an unknown kind: " + event);
  }

  private long early(NodeClock clock, long stamp) {
    return clock.toOurs(stamp) - clock.errorNanos() - start;
  }

  private long late(NodeClock clock, long stamp) {
    return clock.toOurs(stamp) + clock.errorNanos() - start;
  }
}
