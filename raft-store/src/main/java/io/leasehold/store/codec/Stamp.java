package io.leasehold.store.codec;

/**
 * What the leader adds to a batch before it goes into the log.
 *
 * @param nanos its reading of lease time; 0 to 2^62, so that a time to live can be added
 * @param term the Raft term in which it read
 * @param tokenFloor every token granted from this entry on is greater; 0 to 2^53
 */
public record Stamp(long nanos, long term, long tokenFloor) {

  private static final long NANOS_MAX = 1L << 62;
  private static final long TOKEN_FLOOR_MAX = 1L << 53;

  public Stamp {
    if (nanos < 0 || nanos > NANOS_MAX) {
      throw new IllegalArgumentException("lease time must be from 0 to 2^62 ns: " + nanos);
    }
    if (term < 0) {
      throw new IllegalArgumentException("term must not be negative: " + term);
    }
    if (tokenFloor < 0 || tokenFloor > TOKEN_FLOOR_MAX) {
      throw new IllegalArgumentException("token floor must be from 0 to 2^53: " + tokenFloor);
    }
  }
}
