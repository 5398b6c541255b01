package io.leasehold.harness.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an acquire.
 *
 * @param acquired whether the caller holds the lease now
 * @param fencingToken the hold's token; left out when not acquired
 * @param holder who has it instead; left out when acquired, or when it was free again by the time
 *     the node looked
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AcquireAnswer(
    boolean acquired, @Nullable Long fencingToken, @Nullable HolderView holder) {}
