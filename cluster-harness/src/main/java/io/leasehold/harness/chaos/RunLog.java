package io.leasehold.harness.chaos;

import io.leasehold.harness.check.history.HistoryEvent.Fault;
import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Mark;
import io.leasehold.harness.check.history.HistoryWriter;
import io.leasehold.time.Ticker;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes down what the harness itself does, on its clock, and tells whoever looks on. */
final class RunLog implements AutoCloseable {

  private final HistoryWriter writer;
  private final Ticker clock;
  private final long start;
  private final PrintWriter out;

  RunLog(Path file, Ticker clock, PrintWriter out) throws IOException {
    this.writer = HistoryWriter.fragment(file);
    this.clock = clock;
    this.start = clock.nanos();
    this.out = out;
  }

  /** The instant that the history counts from. */
  long start() {
    return start;
  }

  long now() {
    return clock.nanos();
  }

  void life(String node, int run, Life.Step step) {
    lifeAt(now(), node, run, step);
  }

  void lifeAt(long at, String node, int run, Life.Step step) {
    writer.append(new Life(at, node, run, step));
  }

  void begins(
      int id,
      FaultKind kind,
      List<String> targets,
      Map<String, String> parameters,
      boolean disturbs,
      String means) {
    beginsAt(now(), id, kind, targets, parameters, disturbs, means);
  }

  void beginsAt(
      long at,
      int id,
      FaultKind kind,
      List<String> targets,
      Map<String, String> parameters,
      boolean disturbs,
      String means) {
    writer.append(new Fault(at, id, true, kind.word(), targets, parameters, disturbs, true, means));
    say("%s %s %s", kind.word(), String.join(",", targets), parameters.isEmpty() ? "" : parameters);
  }

  void ends(int id, FaultKind kind, List<String> targets) {
    writer.append(new Fault(now(), id, false, kind.word(), targets, Map.of(), false, true, ""));
    say("%s %s over", kind.word(), String.join(",", targets));
  }

  /** A fault that could not be done is written down like one that was. */
  void notInjected(
      int id, FaultKind kind, List<String> targets, Map<String, String> parameters, String why) {
    writer.append(new Fault(now(), id, true, kind.word(), targets, parameters, false, false, why));
    say("%s NOT INJECTED: %s", kind.word(), why);
  }

  void mark(Mark.What what) {
    writer.append(new Mark(now(), what));
  }

  void say(String format, Object... arguments) {
    out.printf(
        Locale.ROOT,
        "%7.2f s  %s%n",
        (now() - start) / 1e9,
        String.format(Locale.ROOT, format, arguments).strip());
    out.flush();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
