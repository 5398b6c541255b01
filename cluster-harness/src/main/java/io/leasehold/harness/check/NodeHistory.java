package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Life.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * The life of one start of one node. Immutable.
 *
 * @param lives in the order of time
 */
record NodeHistory(List<Life> lives) {

  static final NodeHistory UNKNOWN = new NodeHistory(List.of());

  NodeHistory {
    lives = List.copyOf(lives);
  }

  /** When it was killed or found dead; never when it lived on. */
  long diedAt() {
    return first(Step.KILL, Step.EXIT);
  }

  /** When it was asked to end in order; never when it was not. */
  long closedAt() {
    return first(Step.CLOSE, Step.CLOSE);
  }

  /** When it was asked to end in order, was killed or found dead; never when it lived on. */
  long endedAt() {
    return Math.min(diedAt(), closedAt());
  }

  /** When it was started; before everything when that is not told. */
  long startedAt() {
    long started = first(Step.START, Step.START);
    return started == Call.NEVER ? Long.MIN_VALUE : started;
  }

  /** How long between the two it was paused. */
  long pausedBetween(long from, long to) {
    long paused = 0;
    for (Pause pause : pauses()) {
      paused += Math.max(0, Math.min(pause.to(), to) - Math.max(pause.from(), from));
    }
    return paused;
  }

  /** When it has run for so long since an instant, pauses left out; never when it never does. */
  long runningFor(long from, long nanos) {
    long now = from;
    long left = nanos;
    for (Pause pause : pauses()) {
      if (pause.to() > now) {
        long ran = Math.max(0, pause.from() - now);
        if (ran >= left) {
          break;
        } else if (pause.to() == Call.NEVER) {
          return Call.NEVER;
        }
        left -= ran;
        now = pause.to();
      }
    }
    return now + left;
  }

  /**
   * @param to never when it was not resumed
   */
  private record Pause(long from, long to) {}

  private List<Pause> pauses() {
    List<Pause> pauses = new ArrayList<>();
    long since = Call.NEVER;
    for (Life life : lives) {
      if (life.step() == Step.PAUSE) {
        since = Math.min(since, life.at()); // It may be paused twice.
      } else if (life.step() == Step.RESUME && since != Call.NEVER) {
        pauses.add(new Pause(since, life.at()));
        since = Call.NEVER;
      }
    }
    if (since != Call.NEVER) {
      pauses.add(new Pause(since, Call.NEVER));
    }
    return pauses;
  }

  private long first(Step one, Step other) {
    for (Life life : lives) {
      if (life.step() == one || life.step() == other) {
        return life.at();
      }
    }
    return Call.NEVER;
  }
}
