package io.leasehold.harness.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a node that can serve.
 *
 * @param node the node
 * @param healthy true
 * @param leader the member that leads
 * @param warning what is wrong all the same, and what to do; left out while nothing is
 */
public record HealthView(
    String node,
    boolean healthy,
    String leader,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String warning) {}
