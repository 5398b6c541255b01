package io.leasehold.harness.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaseEvent;
import io.leasehold.LeaseLost;
import io.leasehold.harness.check.history.Handle;
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
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A history comes back from its file as it went in, and a file that is none is refused. */
class HistoryFileTest {

  private static final Handle A = new Handle("n1", 2, "ä \"quoted\"", "printer");
  private static final HistoryHeader HEADER = SimulatedRun.header(7);
  private static final List<HistoryEvent> ONE_OF_EACH =
      List.of(
          new Life(1, "n1", 2, Life.Step.START),
          Invoke.acquire(2, 1, A, 3_000, 500),
          Return.granted(3, 1, 77).handedAt(2),
          Invoke.release(4, 2, A),
          Return.failed(5, 2, false, "timed out"),
          Sample.of(A, 77, true, 6, 7),
          Sample.of(A, 0, false, 8, 9).and(Sample.of(A, 0, false, 10, 11)),
          new Lost(11, 12, A, 77, LeaseLost.Reason.TAKEN_OVER),
          new Fault(
              13, 1, true, "pause", List.of("n1"), Map.of("for", "12s"), true, false, "no such"),
          new Watched(14, "n2", 1, LeaseEvent.Kind.GRANTED, "printer", "a", "n1", 77),
          new Guarded(16, 15, "n1", 2, "counter", 77, true, 5),
          new Digest(17, 16, "n3", 1, 1_000, 15, 77, "c0ffee"),
          new Task(17, 18, 100, A, 77, Task.Moment.NOT_ALIVE),
          new Mark(18, Mark.What.FAULTS_OVER));

  @TempDir Path folder;

  @Test
  void oneOfEachKindComesBack() throws Exception {
    Path file = write(HEADER, ONE_OF_EACH);
    List<HistoryEvent> read = new ArrayList<>();

    HistoryHeader header = HistoryReader.read(file, read::add);

    assertThat(header).isEqualTo(HEADER);
    assertThat(read).isEqualTo(ONE_OF_EACH);
    assertThat(ONE_OF_EACH.stream().map(Object::getClass).collect(Collectors.toSet()))
        .as("every kind of event is in this test")
        .isEqualTo(Set.of(HistoryEvent.class.getPermittedSubclasses()));
  }

  @Test
  void partOfAKilledProcessMayBreakOff() throws Exception {
    Path part = folder.resolve("part.jsonl");
    try (HistoryWriter writer = HistoryWriter.fragment(part)) {
      ONE_OF_EACH.forEach(writer::append);
    }
    Files.writeString(part, "{\"type\":\"sample\",\"han", StandardOpenOption.APPEND);
    List<HistoryEvent> read = new ArrayList<>();

    HistoryReader.readFragment(part, read::add);

    assertThat(read).isEqualTo(ONE_OF_EACH);
  }

  @Test
  void wholeHistoryMustNotBreakOff() throws Exception {
    Path file = write(HEADER, ONE_OF_EACH);
    Files.writeString(file, "{\"type\":\"sample\",\"han", StandardOpenOption.APPEND);

    assertThatThrownBy(() -> HistoryReader.read(file, event -> {}))
        .isInstanceOf(UnreadableHistoryException.class)
        .hasMessage(file + ":" + (ONE_OF_EACH.size() + 2) + ": breaks off in this line");
  }

  @Test
  void unknownFormatIsRefused() throws Exception {
    Path file = folder.resolve("history.jsonl");
    Files.writeString(file, "{\"format\":2,\"seed\":1,\"command\":\"x\",\"nodes\":[]}\n");

    assertThatThrownBy(() -> HistoryReader.read(file, event -> {}))
        .isInstanceOf(UnreadableHistoryException.class)
        .hasMessageContaining("(format 2 is not known; this version reads format 1)");
  }

  @Test
  void otherJsonIsRefusedInOurWords() throws Exception {
    Path other = Files.writeString(folder.resolve("other"), "{\"drift\":\"x\",\"seed\":{}}\n");
    Path header = Files.writeString(folder.resolve("header"), "{\"format\":1,\"seed\":1}\n");
    Path line = write(HEADER, ONE_OF_EACH);
    Files.writeString(line, "{\"type\":\"quake\"}\n\n", StandardOpenOption.APPEND);
    Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff, (byte) 0xfe});

    for (Path file : List.of(other, header)) {
      assertThatThrownBy(() -> HistoryReader.read(file, event -> {}))
          .hasMessage(
              file + ":1: no header of a history: name the history.jsonl of a run of chaos");
    }
    assertThatThrownBy(() -> HistoryReader.read(line, event -> {}))
        .hasMessage(line + ":" + (ONE_OF_EACH.size() + 2) + ": no line of a history");
    assertThatThrownBy(() -> HistoryReader.read(bytes, event -> {}))
        .hasMessage(bytes + " is no text: name the history.jsonl of a run of chaos");
  }

  @Test
  void anyOtherFileIsRefused() throws Exception {
    Path empty = Files.createFile(folder.resolve("empty"));
    Path text = Files.writeString(folder.resolve("text"), "hello\n");
    Path missing = folder.resolve("missing");

    for (Path file : List.of(empty, text, missing)) {
      assertThatThrownBy(() -> HistoryReader.read(file, event -> {}))
          .isInstanceOf(UnreadableHistoryException.class)
          .hasMessageContaining(file.getFileName().toString());
    }
  }

  @Test
  void verdictIsTheSameFromAFile() throws Exception {
    List<HistoryEvent> events = SimulatedRun.events(3, 20, 1);
    Path file = write(SimulatedRun.header(3), events);

    Verdict fromFile = HistoryChecker.check(file).verdict();

    assertThat(fromFile).isEqualTo(HistoryChecker.check(SimulatedRun.header(3), events).verdict());
  }

  private Path write(HistoryHeader header, List<HistoryEvent> events) throws IOException {
    Path file = folder.resolve("history.jsonl");
    try (HistoryWriter writer = HistoryWriter.create(file, header)) {
      events.forEach(writer::append);
    }
    return file;
  }
}
