package io.leasehold.harness.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a revocation.
 *
 * @param revoked whether there was such a hold to be revoked
 * @param fencingToken the hold that was meant; left out when the lease was free
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RevokeAnswer(boolean revoked, @Nullable Long fencingToken) {}
