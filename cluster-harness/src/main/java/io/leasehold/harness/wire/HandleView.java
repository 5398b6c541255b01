package io.leasehold.harness.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A lease as one owner on one node sees it.
 *
 * @param name the lease
 * @param alive whether this owner holds it and can prove it: the node's own answer, without I/O
 * @param fencingToken the token of that hold; null when not held
 * @param remainingMillis time until the node's own deadline; 0 when not held
 * @param holder who has the lease; null when it is free
 * @param message why the holder is not known; left out when it is
 */
public record HandleView(
    String name,
    boolean alive,
    @Nullable Long fencingToken,
    long remainingMillis,
    @Nullable HolderView holder,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String message) {}
