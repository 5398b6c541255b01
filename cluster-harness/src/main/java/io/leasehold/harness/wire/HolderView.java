package io.leasehold.harness.wire;

/**
 * Who holds a lease.
 *
 * @param owner the holder's name for itself
 * @param node the process it lives in
 */
public record HolderView(String owner, String node) {}
