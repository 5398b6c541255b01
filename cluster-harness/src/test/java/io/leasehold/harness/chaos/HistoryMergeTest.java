package io.leasehold.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LeaseLost.Reason;
import io.leasehold.harness.chaos.HistoryMerge.Part;
import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent;
import io.leasehold.harness.check.history.HistoryEvent.Invoke;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Return;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import io.leasehold.harness.check.history.HistoryEvent.Task;
import io.leasehold.harness.check.history.HistoryHeader;
import io.leasehold.harness.check.history.HistoryReader;
import io.leasehold.harness.check.history.HistoryWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of all processes become one history on one clock. */
class HistoryMergeTest {

  private static final Handle A = new Handle("n1", 1, "a", "printer");
  private static final HistoryHeader HEADER =
      HistoryHeader.of(1, "test", List.of("n1"), HistoryHeader.Parameters.defaults());

  @TempDir Path folder;

  @Test
  void partsAreInOneOrderOnOneClock() throws Exception {
    NodeClock ahead = NodeClock.ahead(1_000_000);
    Part node =
        new Part(
            part("node", Invoke.acquire(1_000_520, 7, A, 5, 0), Return.granted(1_000_540, 7, 3)),
            ahead);
    Part harness =
        new Part(part("harness", new Life(530, "n1", 1, Life.Step.READY)), NodeClock.ahead(0));

    assertThat(merged(500, node, harness))
        .containsExactly(
            Invoke.acquire(20, 7, A, 5, 0),
            new Life(30, "n1", 1, Life.Step.READY),
            Return.granted(40, 7, 3));
  }

  @Test
  void whatIsNotKnownOfAClockWidensItsStamps() throws Exception {
    NodeClock drifting = new NodeClock(1, 0, 0);
    drifting.observe(0, 100_000, 200_000);
    long error = drifting.errorNanos();
    Part node =
        new Part(
            part(
                "node",
                Sample.of(A, 3, true, 1_000_000, 1_000_010),
                Lost.of(A, 2_000_000, 3, Reason.EXPIRED),
                new Task(3_000_000, 3_000_010, 1, A, 3, Task.Moment.ALIVE)),
            drifting);

    assertThat(error).isGreaterThanOrEqualTo(100_000);
    assertThat(merged(0, node))
        .containsExactly(
            Sample.of(A, 3, true, 1_000_000 - error, 1_000_010 + error),
            new Lost(2_000_000 - error, 2_000_000 + error, A, 3, Reason.EXPIRED),
            new Task(3_000_000 - error, 3_000_010 + error, 1, A, 3, Task.Moment.ALIVE));
  }

  @Test
  void partThatWasNeverBegunIsNoMatter() throws Exception {
    assertThat(merged(0, new Part(folder.resolve("none"), NodeClock.ahead(0)))).isEmpty();
  }

  private List<HistoryEvent> merged(long start, Part... parts) throws Exception {
    Path file = folder.resolve("history.jsonl");
    HistoryMerge.write(file, HEADER, start, List.of(parts));
    List<HistoryEvent> events = new ArrayList<>();
    HistoryReader.read(file, events::add);
    return events;
  }

  private Path part(String name, HistoryEvent... events) throws IOException {
    Path file = folder.resolve(name);
    try (HistoryWriter writer = HistoryWriter.fragment(file)) {
      for (HistoryEvent event : events) {
        writer.append(event);
      }
    }
    return file;
  }
}
