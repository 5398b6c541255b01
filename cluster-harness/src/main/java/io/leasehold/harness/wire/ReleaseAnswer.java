package io.leasehold.harness.wire;

/**
 * The answer to a release.
 *
 * @param released whether this owner held the lease on this node and has given it up
 */
public record ReleaseAnswer(boolean released) {}
