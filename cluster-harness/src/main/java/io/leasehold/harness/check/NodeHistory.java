package io.leasehold.harness.check;

import io.leasehold.harness.check.history.HistoryEvent.Life;
import io.leasehold.harness.check.history.HistoryEvent.Life.Step;
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
    long pausedSince = Call.NEVER;
    for (Life life : lives) {
      if (life.step() == Step.PAUSE) {
        pausedSince = Math.min(pausedSince, life.at()); // It may be paused twice.
      } else if (life.step() == Step.RESUME && pausedSince != Call.NEVER) {
        paused += Math.max(0, Math.min(life.at(), to) - Math.max(pausedSince, from));
        pausedSince = Call.NEVER;
      }
    }
    return pausedSince == Call.NEVER
        ? paused
        : paused + Math.max(0, to - Math.max(pausedSince, from));
  }

  /** When it has run for so long since an instant, pauses left out; never when it never does. */
  long runningFor(long from, long nanos) {
    long now = from;
    long left = nanos;
    long pausedSince = Call.NEVER;
    for (Life life : lives) {
      if (life.step() == Step.PAUSE) {
        pausedSince = Math.min(pausedSince, life.at()); // It may be paused twice.
      } else if (life.step() == Step.RESUME && pausedSince != Call.NEVER) {
        if (life.at() > now) {
          long ran = Math.max(0, pausedSince - now);
          if (ran >= left) {
            return now + left;
          }
          left -= ran;
          now = life.at();
        }
        pausedSince = Call.NEVER;
      }
    }
    return pausedSince - now >= left ? now + left : Call.NEVER;
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
