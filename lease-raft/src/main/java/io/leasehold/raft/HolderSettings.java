package io.leasehold.raft;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How a node behaves as a holder.
 *
 * @param margin the part of a ttl that a holder gives up early, for clocks of different rates
 * @param requestTimeout how long a call may go unanswered before its caller is told so
 * @param sessionTtl how long the store remembers a session that holds nothing and is silent
 * @param closeTimeout how long a shutdown waits for the store
 * @param callsMax how many commands may wait to be sent before acquires are refused
 */
record HolderSettings(
    double margin,
    Duration requestTimeout,
    Duration sessionTtl,
    Duration closeTimeout,
    int callsMax) {

  HolderSettings {
    requireNonNull(requestTimeout, "requestTimeout");
    requireNonNull(sessionTtl, "sessionTtl");
    requireNonNull(closeTimeout, "closeTimeout");
  }
}
