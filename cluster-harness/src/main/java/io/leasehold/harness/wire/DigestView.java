package io.leasehold.harness.wire;

import io.leasehold.store.TableDigest;

/**
 * What a node's replica amounts to after one log entry.
 *
 * @param node the node
 * @param index of the entry
 * @param leaseTimeNanos the replicated clock after it
 * @param lastToken the greatest fencing token granted by then
 * @param sha256 of all that the replica holds
 */
public record DigestView(
    String node, long index, long leaseTimeNanos, long lastToken, String sha256) {

  /** As the node says it. */
  public static DigestView of(String node, TableDigest digest) {
    return new DigestView(
        node, digest.index(), digest.leaseTimeNanos(), digest.lastToken(), digest.sha256());
  }
}
