package io.leasehold.harness.check;

import io.leasehold.harness.check.history.Handle;
import io.leasehold.harness.check.history.HistoryEvent.Task;
import io.leasehold.harness.check.history.HistoryEvent.Task.Moment;
import org.jspecify.annotations.Nullable;

/**
 * One run of a singleton's task, as far as it was seen. Immutable.
 *
 * @param first when it is first known to have run
 * @param last when it is last known to have run
 * @param firstAlive when it was first told that it may act
 * @param lastAlive when it was last told so
 * @param over when it was first told that it may not, or that it is to end
 */
record TaskRun(
    Task first,
    Task last,
    @Nullable Task firstAlive,
    @Nullable Task lastAlive,
    @Nullable Task over) {

  static TaskRun of(Task line) {
    boolean alive = line.moment() == Moment.ALIVE;
    boolean over = line.moment() == Moment.NOT_ALIVE || line.moment() == Moment.CANCEL;
    return new TaskRun(line, line, alive ? line : null, alive ? line : null, over ? line : null);
  }

  /** This run with a further line of it. */
  TaskRun and(Task line) {
    TaskRun seen = of(line);
    return new TaskRun(
        line.at() < first.at() ? line : first,
        line.at() >= last.at() ? line : last,
        earlier(firstAlive, seen.firstAlive),
        later(lastAlive, seen.lastAlive),
        earlier(over, seen.over));
  }

  private static @Nullable Task earlier(@Nullable Task one, @Nullable Task other) {
    return one == null || (other != null && other.at() < one.at()) ? other : one;
  }

  private static @Nullable Task later(@Nullable Task one, @Nullable Task other) {
    return one == null || (other != null && other.at() > one.at()) ? other : one;
  }

  Handle handle() {
    return first.handle();
  }

  long token() {
    return first.token();
  }

  /** When it had certainly begun. */
  long begunAt() {
    return first.at();
  }

  /** Until when it certainly ran. */
  long seenUntil() {
    return last.from();
  }

  /** When it had certainly been alive; never when it was not. */
  long aliveAt() {
    return firstAlive == null ? Call.NEVER : firstAlive.at();
  }

  /** Until when it was certainly alive; before everything when it never was. */
  long aliveUntil() {
    return lastAlive == null ? Long.MIN_VALUE : lastAlive.from();
  }

  /** When it may have ended at the latest: as it said itself, or with its process. */
  long endedBy(History history) {
    return last.moment() == Moment.END
        ? last.at()
        : Math.min(history.nodeOf(handle()).diedAt(), history.endedAt());
  }
}
