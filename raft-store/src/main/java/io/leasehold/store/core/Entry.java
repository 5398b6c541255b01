package io.leasehold.store.core;

/**
 * What a log entry says besides its commands.
 *
 * @param index its place in the log
 * @param term the Raft term it was appended in
 * @param stampNanos the leader's reading of lease time
 * @param stampTerm the term in which that reading was taken; a stamp of another term is void
 *     (CORRECTNESS.md, P2)
 * @param tokenFloor every token granted from here on is greater; 0 once the cluster has a base
 */
public record Entry(long index, long term, long stampNanos, long stampTerm, long tokenFloor) {

  boolean hasValidStamp() {
    return stampTerm == term;
  }
}
