package io.leasehold.raft;

import io.leasehold.time.Ticker;

/**
 * For how long a batch waits for more calls, though nothing is in flight.
 *
 * <p>Callers that were answered together tend to call again together. Without a wait the first of
 * them would go alone, and all others wait until that one is answered: two log entries for what one
 * can carry. So after a batch of several calls as many are waited for, while they keep coming, and
 * for a moment at most. A lone caller never waits, nor does a call that comes later than that
 * (PostgreSQL's {@code commit_siblings} and {@code commit_delay} are the same idea).
 *
 * <p>Confined to the strand.
 */
final class Gathering {

  /** A pause between two calls after which no more of them are expected. */
  static final long PAUSE_NANOS = 100_000;

  private static final long NANOS_MAX = 1_000_000;

  private final Ticker ticker;
  private long answeredNanos;
  private int expected;
  private int seen;

  Gathering(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * A batch has been answered.
   *
   * @param calls how many it had
   * @param waiting how many have come meanwhile
   */
  void answered(int calls, int waiting) {
    answeredNanos = ticker.nanos();
    expected = calls > 1 ? calls + waiting : 0;
    seen = 0;
  }

  /** Whether so many calls are all that is to be waited for. */
  boolean isComplete(int calls) {
    return calls >= expected || ticker.nanos() - answeredNanos >= NANOS_MAX;
  }

  /** The same, after a pause: when none has come meanwhile, none will. */
  boolean isCompleteAfterPause(int calls) {
    boolean more = calls > seen;
    seen = calls;
    return !more || isComplete(calls);
  }
}
