package io.leasehold.store.core;

/**
 * One node incarnation as the store knows it. One renewal extends everything it holds.
 *
 * @param id its name
 * @param node the node's name, for people
 * @param ttlNanos how long it outlives its last renewal when it holds nothing
 * @param ordinal its place in the order in which sessions were opened
 * @param renewedNanos lease time of its last renewal
 * @param sequence the last batch of it that was applied; the log index of its opening before that
 * @param heldDigest digest of the tokens it holds, see {@link #digestWith}
 * @param newsLost whether more news was pending than is kept
 */
public record Session(
    SessionId id,
    String node,
    long ttlNanos,
    long ordinal,
    long renewedNanos,
    long sequence,
    long heldDigest,
    boolean newsLost) {

  Session renewed(long leaseTimeNanos, long newSequence) {
    return new Session(
        id, node, ttlNanos, ordinal, leaseTimeNanos, newSequence, heldDigest, newsLost);
  }

  /** The same, renewed at a lease time by nothing that it has sent. */
  public Session renewedAt(long leaseTimeNanos) {
    return renewed(leaseTimeNanos, sequence);
  }

  Session withDigest(long newDigest) {
    return new Session(id, node, ttlNanos, ordinal, renewedNanos, sequence, newDigest, newsLost);
  }

  Session withNewsLost(boolean lost) {
    return new Session(id, node, ttlNanos, ordinal, renewedNanos, sequence, heldDigest, lost);
  }

  /** Whether something of this session that lasts {@code ttlNanos} past a renewal still lasts. */
  boolean outlives(long ttlNanos, long leaseTimeNanos) {
    return leaseTimeNanos - renewedNanos < ttlNanos;
  }

  /**
   * Adds a token to a digest, or takes it out again: the digest of a set is the exclusive or of its
   * mixed members (the finalizer of MurmurHash3), so it is kept in constant time and does not
   * depend on order. 0 is the empty set.
   */
  public static long digestWith(long digest, long token) {
    long mixed = token;
    mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return digest ^ mixed ^ (mixed >>> 33);
  }
}
