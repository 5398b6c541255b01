package io.leasehold.harness.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.harness.check.history.HistoryEvent;
import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command's exit codes and what it shows. */
class CheckCommandTest {

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void goodHistoryExitsWithZero() throws Exception {
    int code = check(write(SimulatedRun.events(1, 20, 1)));

    assertThat(code).isZero();
    assertThat(out.toString())
        .contains("every promise held")
        .contains("S1 ")
        .containsPattern("S16 .*not judged by itself");
  }

  @Test
  void brokenHistoryExitsWithOneAndShowsTheOperations() throws Exception {
    List<HistoryEvent> events = SimulatedRun.events(1, 20, 1);
    Lost lost = (Lost) events.stream().filter(Lost.class::isInstance).findFirst().orElseThrow();
    events.add(Lost.of(lost.handle(), lost.at() + 1, lost.token(), lost.reason()));

    int code = check(write(events));

    assertThat(code).isEqualTo(1);
    assertThat(out.toString())
        .contains("BROKEN: S6")
        .contains("granted token " + lost.token())
        .contains("told again");
  }

  @Test
  void anythingElseExitsWithTwoAndOneLine() throws Exception {
    Path file = Files.writeString(folder.resolve("notes.txt"), "no history\n");

    assertThat(check(file)).isEqualTo(2);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).contains("notes.txt:1");
  }

  @Test
  void missingArgumentExitsWithTwo() {
    assertThat(check()).isEqualTo(2);
  }

  private int check(Path... files) {
    CommandLine command = new CommandLine(new CheckCommand());
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    String[] arguments = new String[files.length];
    for (int i = 0; i < files.length; i++) {
      arguments[i] = files[i].toString();
    }
    return command.execute(arguments);
  }

  private Path write(List<HistoryEvent> events) throws IOException {
    Path file = folder.resolve("history.jsonl");
    try (HistoryWriter writer = HistoryWriter.create(file, SimulatedRun.header(1))) {
      events.forEach(writer::append);
    }
    return file;
  }
}
