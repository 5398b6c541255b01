package io.leasehold.harness.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a call that was refused or failed.
 *
 * @param error {@code invalid}: the request was wrong; {@code unavailable}: certainly had no
 *     effect; {@code indeterminate}: may have had one; {@code internal}: a fault of the node's own,
 *     which its log tells about
 * @param field what was wrong; left out where it was not a matter of the request
 * @param message one sentence for people
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ErrorView(String error, @Nullable String field, String message) {}
