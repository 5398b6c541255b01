package io.leasehold.harness.wire;

/**
 * The answer of a node that can serve.
 *
 * @param node the node
 * @param healthy true
 * @param leader the member that leads
 */
public record HealthView(String node, boolean healthy, String leader) {}
