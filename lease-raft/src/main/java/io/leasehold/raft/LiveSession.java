package io.leasehold.raft;

import io.leasehold.LeaseLimits;
import io.leasehold.store.core.SessionId;

/**
 * One session of this node, and the moment from which all its holds count their deadlines: when the
 * call of the last acknowledged batch was first handed over (CORRECTNESS.md, P7). The moment is
 * moved on the strand and read anywhere.
 */
final class LiveSession {

  private final SessionId id;
  private volatile long renewedNanos;

  LiveSession(SessionId id, long renewedNanos) {
    this.id = id;
    this.renewedNanos = renewedNanos;
  }

  SessionId id() {
    return id;
  }

  long renewedNanos() {
    return renewedNanos;
  }

  /**
   * Forgets when it was renewed, as the time since then is not known: until the next renewal no
   * hold of its is alive.
   */
  void distrust(long nowNanos) {
    renewedNanos = nowNanos - LeaseLimits.TTL_MAX.toNanos();
  }

  void renewed(long firstHandedNanos) {
    if (firstHandedNanos - renewedNanos > 0) {
      renewedNanos = firstHandedNanos;
    }
  }
}
