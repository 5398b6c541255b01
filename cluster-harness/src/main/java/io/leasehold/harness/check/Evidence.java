package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Lost;
import io.leasehold.harness.check.history.HistoryEvent.Sample;
import io.leasehold.harness.check.history.HistoryEvent.Task;

/**
 * One of the operations that together break a rule.
 *
 * @param role what part it plays, such as {@code older hold}
 * @param text what happened, for people
 * @param from when it began
 * @param to when it ended; {@link Call#NEVER} when it did not
 */
public record Evidence(String role, String node, String text, long from, long to) {

  static Evidence of(String role, Call call) {
    return new Evidence(
        role, call.handle().node(), call.toString(), call.invokedAt(), call.returnedAt());
  }

  static Evidence first(String role, Sample sample) {
    return of(role, sample, sample.before(), sample.after());
  }

  static Evidence last(String role, Sample sample) {
    return of(role, sample, sample.lastBefore(), sample.lastAfter());
  }

  static Evidence of(String role, Lost lost) {
    String text =
        "%s onLost(token %d, %s) at %s"
            .formatted(lost.handle(), lost.token(), lost.reason(), CallText.seconds(lost.at()));
    return new Evidence(role, lost.handle().node(), text, lost.from(), lost.at());
  }

  static Evidence of(String role, Task task) {
    String text =
        "%s task %d, token %d: %s %s"
            .formatted(
                task.handle(),
                task.task(),
                task.token(),
                done(task.moment()),
                CallText.span(task.from(), task.at()));
    return new Evidence(role, task.handle().node(), text, task.from(), task.at());
  }

  private static String done(Task.Moment moment) {
    return switch (moment) {
      case START -> "begins";
      case ALIVE -> "checkAlive() = true";
      case NOT_ALIVE -> "checkAlive() = false";
      case CANCEL -> "is told to end";
      case END -> "ends";
    };
  }

  /** How a hold came to be known: its grant, or else the first sample that saw it. */
  static Evidence grantOf(String role, Hold hold) {
    if (hold.acquire() != null) {
      return of(role, hold.acquire());
    }
    if (hold.firstTrue() != null) {
      return first(role, hold.firstTrue());
    }
    return hold.losses().isEmpty()
        ? new Evidence(role, hold.handle().node(), "token " + hold.token(), 0, 0)
        : of(role, hold.losses().get(0));
  }

  private static Evidence of(String role, Sample sample, long from, long to) {
    String text =
        "%s checkAlive() = %s%s %s"
            .formatted(
                sample.handle(),
                sample.alive(),
                sample.token() == 0 ? "" : " with token " + sample.token(),
                CallText.span(from, to));
    return new Evidence(role, sample.handle().node(), text, from, to);
  }
}
