package io.leasehold.holder;

import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;

/** A store that keeps one record for each lease. Safe for many threads. */
public interface ClaimStore {

  /** Returns a new claim; nothing is sent. */
  Claim claim(LeaseSettings settings);

  /**
   * Has an action run whenever a lease may have become free. A hint: who waits for a lease asks
   * again now and then without it. Called outside every lock; the action may run on any thread.
   */
  default Subscription watch(String name, Runnable freed) {
    return () -> {};
  }
}
