package io.leasehold;

import java.time.Duration;

/**
 * One lease as the store has it.
 *
 * @param name the lease
 * @param owner the holder's name for itself
 * @param node the process that holds it
 * @param fencingToken the hold's token
 * @param ttl the hold's time to live
 * @param remaining time until its expiry by the store's replicated clock, if no renewal comes
 * @param waiters how many are queued
 * @param revoked whether an operator has revoked it and the holder has not confirmed yet
 */
public record LeaseStatus(
    String name,
    String owner,
    String node,
    long fencingToken,
    Duration ttl,
    Duration remaining,
    int waiters,
    boolean revoked) {}
