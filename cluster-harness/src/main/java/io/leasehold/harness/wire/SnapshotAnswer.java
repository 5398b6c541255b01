package io.leasehold.harness.wire;

/**
 * The answer of a node that was asked for a snapshot.
 *
 * @param node the node
 * @param index the last log entry in its newest snapshot
 */
public record SnapshotAnswer(String node, long index) {}
