package io.leasehold.harness.wire;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a transfer of the leadership.
 *
 * @param transferred whether the member that was named leads now
 * @param leader who leads as far as the node that was asked knows; null when it does not
 */
public record TransferAnswer(boolean transferred, @Nullable String leader) {}
