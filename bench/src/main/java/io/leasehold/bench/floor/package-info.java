/**
 * The floor: the least replicated log that can be written, without elections, terms, snapshots,
 * expiry or recovery. What it reaches is what the machine gives to anything that syncs a log on two
 * of three nodes; the difference to it is what everything else costs.
 */
@NullMarked
package io.leasehold.bench.floor;

import org.jspecify.annotations.NullMarked;
