package io.leasehold.raft;

import io.leasehold.time.Ticker;

/**
 * For how long a batch waits for more calls, though nothing is in flight.
 *
 * <p>Callers that were answered together tend to call again together. Without a wait the first of
 * them would go alone, and all others wait until that one is answered: two log entries for what one
 * can carry. So when several callers have been answered, as many calls are waited for, while they
 * keep coming, and for a moment at most. A lone caller never waits, nor does a call that comes
 * later than that (PostgreSQL's {@code commit_siblings} and {@code commit_delay} are the same
 * idea).
 *
 * <p>Confined to the strand.
 */
final class Gathering {

  /** A pause between two calls after which no more of them are expected. */
  static final long PAUSE_NANOS = 100_000;

  private static final long NANOS_MAX = 1_000_000;

  private final Ticker ticker;
  private long answeredNanos;
  private int answered;
  private long landedNanos;
  private int expected;
  private int seen;

  Gathering(Ticker ticker) {
    this.ticker = ticker;
  }

  void callerAnswered() {
    long nowNanos = ticker.nanos();
    answered = isLately(answeredNanos, nowNanos) ? answered + 1 : 1;
    answeredNanos = nowNanos;
  }

  /**
   * A batch has landed. Callers have been answered by it, or because a lease was handed over to
   * them.
   *
   * @param waiting how many calls have come meanwhile
   */
  void landed(int waiting) {
    landedNanos = ticker.nanos();
    int together = isLately(answeredNanos, landedNanos) ? answered : 0;
    expected = together > 1 ? together + waiting : 0;
    answered = 0;
    seen = 0;
  }

  private static boolean isLately(long nanos, long nowNanos) {
    return nowNanos - nanos < NANOS_MAX;
  }

  /** Whether so many calls are all that is to be waited for. */
  boolean isComplete(int calls) {
    return calls >= expected || !isLately(landedNanos, ticker.nanos());
  }

  /** The same, after a pause: when none has come meanwhile, none will. */
  boolean isCompleteAfterPause(int calls) {
    boolean more = calls > seen;
    seen = calls;
    return !more || isComplete(calls);
  }
}
