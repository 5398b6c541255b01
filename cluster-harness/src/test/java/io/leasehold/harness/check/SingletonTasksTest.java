package io.leasehold.harness.check;

import static io.leasehold.harness.check.Story.A;
import static io.leasehold.harness.check.Story.B;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LeaseLost.Reason;
import io.leasehold.harness.check.history.HistoryEvent.Fault;
import io.leasehold.harness.check.history.HistoryEvent.Task.Moment;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** S18: a history that breaks each of its statements, and the nearest one that does not. */
class SingletonTasksTest {

  /** A's task 1 runs with token 7 from 20 ms, and was last alive at 700 ms. */
  private static Story firstTask() {
    return new Story()
        .granted(A, 10, 20, 7)
        .task(A, 1, 7, 20, Moment.START)
        .task(A, 1, 7, 30, Moment.ALIVE)
        .task(A, 1, 7, 700, Moment.ALIVE);
  }

  /** A is cut off, and B's task 2 runs with token 8 from 2020 ms. */
  private static Story takeover() {
    return firstTask()
        .fault(100, 5_000)
        .granted(B, 2_000, 2_020, 8)
        .task(B, 2, 8, 2_020, Moment.START)
        .task(B, 2, 8, 2_030, Moment.ALIVE)
        .task(B, 2, 8, 2_500, Moment.ALIVE);
  }

  @Test
  @DisplayName("S18 keeps a task that ends before its release, and the next node's")
  void handOver() {
    Story story =
        firstTask()
            .task(A, 1, 7, 710, Moment.CANCEL)
            .task(A, 1, 7, 720, Moment.NOT_ALIVE)
            .task(A, 1, 7, 730, Moment.END)
            .released(A, 731, 740)
            .granted(B, 735, 741, 8, 1_000)
            .task(B, 2, 8, 742, Moment.START)
            .task(B, 2, 8, 743, Moment.ALIVE)
            .task(B, 2, 8, 750, Moment.END)
            .released(B, 751, 760);

    Verdict verdict = story.judged(800).verdict();

    assertThat(verdict.violations()).isEmpty();
    assertThat(verdict.rules().get(Rule.S18)).isEqualTo(new Verdict.Score(2, 0));
  }

  @Test
  @DisplayName("S18 keeps an old task that lingers without being alive")
  void oldTaskLingers() {
    Story story =
        takeover()
            .lost(A, 7, 2_010, Reason.EXPIRED)
            .task(A, 1, 7, 2_010, Moment.CANCEL)
            .task(A, 1, 7, 2_200, Moment.NOT_ALIVE)
            .task(A, 1, 7, 2_400, Moment.END);

    assertThat(story.brokenBy(6_000)).isEmpty();
  }

  @Test
  @DisplayName("S18 an old task is alive after the next one was")
  void twoTasksAreAliveAtOnce() {
    Story before = takeover().task(A, 1, 7, 2_029, Moment.ALIVE).lost(A, 7, 2_030, Reason.EXPIRED);
    Story after = takeover().task(A, 1, 7, 2_031, Moment.ALIVE).lost(A, 7, 2_032, Reason.EXPIRED);

    assertThat(before.brokenBy(6_000)).isEmpty();
    assertThat(after.brokenBy(6_000)).containsExactly(Rule.S18);
  }

  @Test
  @DisplayName("S18 shows the steps of both tasks")
  void stepsOfBothTasksAreShown() {
    StringWriter out = new StringWriter();

    takeover()
        .task(A, 1, 7, 2_031, Moment.ALIVE)
        .lost(A, 7, 2_032, Reason.EXPIRED)
        .judged(6_000)
        .print(new PrintWriter(out));

    assertThat(out.toString())
        .contains(
            "BROKEN: S18",
            "two tasks were alive at once, with tokens 7 and 8",
            "n1#1/a task 1, token 7: checkAlive() = true 2.031000 s",
            "n2#1/b task 2, token 8: checkAlive() = true 2.030000 s");
  }

  @Test
  @DisplayName("S18 a task is alive only after one with a later token was")
  void tokensDoNotGrow() {
    Story story =
        firstTask()
            .task(A, 1, 7, 730, Moment.END)
            .task(B, 2, 6, 750, Moment.START)
            .task(B, 2, 6, 760, Moment.ALIVE);

    assertThat(story.judged(800).verdict().violations())
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.rule()).isEqualTo(Rule.S18);
              assertThat(violation.what())
                  .isEqualTo("the task with token 6 was alive after the one with token 7");
            });
  }

  @Test
  @DisplayName("S18 one token for two tasks")
  void twoTasksHaveOneToken() {
    Story story =
        firstTask()
            .task(A, 1, 7, 730, Moment.END)
            .task(A, 2, 7, 750, Moment.START)
            .task(A, 2, 7, 760, Moment.ALIVE);

    assertThat(story.brokenBy(800)).containsExactly(Rule.S18);
  }

  @Test
  @DisplayName("S18 two tasks run in one process, the old one without being alive")
  void twoTasksRunInOneProcess() {
    Story story =
        firstTask()
            .lost(A, 7, 1_900, Reason.EXPIRED)
            .fault(100, 5_000)
            .granted(A, 2_000, 2_020, 8)
            .task(A, 2, 8, 2_020, Moment.START)
            .task(A, 2, 8, 2_100, Moment.ALIVE);

    assertThat(story.task(A, 1, 7, 2_010, Moment.END).brokenBy(6_000)).isEmpty();
    assertThat(story.task(A, 1, 7, 2_030, Moment.NOT_ALIVE).brokenBy(6_000))
        .containsExactly(Rule.S18);
  }

  @Test
  @DisplayName("S18 alive after it was told to end, or after a no")
  void aliveAgain() {
    assertThat(firstTask().task(A, 1, 7, 699, Moment.CANCEL).brokenBy(800))
        .containsExactly(Rule.S18);
    assertThat(firstTask().task(A, 1, 7, 699, Moment.NOT_ALIVE).brokenBy(800))
        .containsExactly(Rule.S18);
    assertThat(firstTask().task(A, 1, 7, 701, Moment.CANCEL).brokenBy(800)).isEmpty();
  }

  @Test
  @DisplayName("S18 the lease is released while the task runs")
  void releasedTooEarly() {
    Story story = firstTask().task(A, 1, 7, 710, Moment.CANCEL).released(A, 720, 725);

    assertThat(story.task(A, 1, 7, 720, Moment.END).brokenBy(800)).isEmpty();
    assertThat(story.task(A, 1, 7, 722, Moment.NOT_ALIVE).brokenBy(800)).containsExactly(Rule.S18);
  }

  @Test
  @DisplayName("faults are counted that strike the node of a task that runs")
  void faultsOnTheTasksNodeAreCounted() {
    Story story =
        firstTask()
            .and(fault(1, 650, "pause", "n1"))
            .and(fault(2, 650, "kill", "n2"))
            .and(fault(3, 705, "kill", "n1"))
            .task(A, 1, 7, 710, Moment.END)
            .and(fault(4, 720, "kill", "n1"));

    Verdict.Totals totals = story.judged(800).verdict().totals();

    assertThat(totals.taskRuns()).isEqualTo(1);
    assertThat(totals.struckTasks()).isEqualTo(Map.of("kill", 1L, "pause", 1L));
  }

  private static Fault fault(int id, long at, String kind, String node) {
    return new Fault(Story.nanos(at), id, true, kind, List.of(node), Map.of(), false, true, "told");
  }
}
