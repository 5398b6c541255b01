package io.leasehold.harness.check;

import static java.util.Objects.requireNonNull;

import io.leasehold.harness.check.history.Handle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * S18: of the tasks of one singleton, on whatever nodes, a later token's is alive only after an
 * earlier one's was for the last time, and each has a token of its own. One that was told to end,
 * or that it is not alive, is never alive again. In one process they do not even run at the same
 * time, and the lease is not released while one runs: another could begin beside it.
 */
final class SingletonTasks implements Check {

  @Override
  public void judge(History history, Findings findings) {
    findings.judged(Rule.S18, history.tasks().size());
    Map<String, List<TaskRun>> byLease = new HashMap<>();
    Map<Handle, List<TaskRun>> byProcess = new HashMap<>();
    for (TaskRun run : history.tasks()) {
      byLease.computeIfAbsent(run.handle().lease(), none -> new ArrayList<>()).add(run);
      byProcess.computeIfAbsent(run.handle(), none -> new ArrayList<>()).add(run);
      judgeLatch(run, findings);
    }
    byLease.values().forEach(runs -> judgeTokens(runs, findings));
    byProcess.forEach(
        (handle, runs) -> {
          judgeProcess(runs, findings);
          history.callsOf(handle).stream()
              .filter(Call::isRelease)
              .forEach(release -> judgeRelease(release, runs, findings));
        });
  }

  private static void judgeLatch(TaskRun run, Findings findings) {
    if (run.over() != null && run.aliveUntil() > run.over().at()) {
      violated(
          findings,
          run,
          run.aliveUntil(),
          "the task with token %d was alive again".formatted(run.token()),
          Evidence.of("not any more", run.over()),
          Evidence.of("alive", requireNonNull(run.lastAlive())));
    }
  }

  private static void judgeTokens(List<TaskRun> runs, Findings findings) {
    runs.sort(Comparator.comparingLong(TaskRun::token).thenComparingLong(TaskRun::begunAt));
    TaskRun next = null; // Of those with later tokens the one that was alive first.
    for (int i = runs.size() - 1; i >= 0; i--) {
      TaskRun run = runs.get(i);
      if (i > 0 && runs.get(i - 1).token() == run.token()) {
        violated(
            findings,
            run,
            run.begunAt(),
            "two tasks have token " + run.token(),
            Evidence.of("one task", runs.get(i - 1).first()),
            Evidence.of("other task", run.first()));
      }
      if (next != null && run.aliveUntil() > next.aliveAt()) {
        tooLong(run, next, findings);
      }
      next = next == null || run.aliveAt() < next.aliveAt() ? run : next;
    }
  }

  private static void tooLong(TaskRun run, TaskRun next, Findings findings) {
    boolean atOnce = next.aliveUntil() > run.aliveAt();
    violated(
        findings,
        run,
        run.aliveUntil(),
        (atOnce
                ? "two tasks were alive at once, with tokens %d and %d"
                : "the task with token %d was alive after the one with token %d")
            .formatted(run.token(), next.token()),
        Evidence.of("earlier token", requireNonNull(run.firstAlive())),
        Evidence.of("later token", requireNonNull(next.firstAlive())),
        Evidence.of("later token", requireNonNull(next.lastAlive())),
        Evidence.of("earlier, still", requireNonNull(run.lastAlive())));
  }

  private static void judgeProcess(List<TaskRun> runs, Findings findings) {
    runs.sort(Comparator.comparingLong(TaskRun::begunAt));
    TaskRun longest = null;
    for (TaskRun run : runs) {
      if (longest != null && longest.seenUntil() > run.begunAt()) {
        violated(
            findings,
            run,
            longest.seenUntil(),
            "two tasks ran at once in one process, with tokens %d and %d"
                .formatted(longest.token(), run.token()),
            Evidence.of("one task", longest.first()),
            Evidence.of("other task", run.first()),
            Evidence.of("one task, still", longest.last()));
      }
      longest = longest == null || run.seenUntil() > longest.seenUntil() ? run : longest;
    }
  }

  private static void judgeRelease(Call release, List<TaskRun> runs, Findings findings) {
    for (TaskRun run : runs) {
      if (run.begunAt() < release.invokedAt() && release.handedAt() < run.seenUntil()) {
        violated(
            findings,
            run,
            run.seenUntil(),
            "the lease was released while the task with token %d ran".formatted(run.token()),
            Evidence.of("task", run.first()),
            Evidence.of("release", release),
            Evidence.of("task, still", run.last()));
      }
    }
  }

  private static void violated(
      Findings findings, TaskRun run, long at, String what, Evidence... evidence) {
    findings.violated(Rule.S18, run.handle().lease(), at, what, List.of(evidence));
  }
}
