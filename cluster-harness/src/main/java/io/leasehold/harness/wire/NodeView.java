package io.leasehold.harness.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * What a node knows of itself, and whether it serves.
 *
 * @param status its fields come first
 * @param healthy whether a majority answers it
 * @param reason why it does not serve; left out when it does
 */
public record NodeView(
    @JsonUnwrapped StatusView status,
    boolean healthy,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String reason) {}
