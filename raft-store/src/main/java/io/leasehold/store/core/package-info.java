/**
 * The rules of leases as plain Java: {@link io.leasehold.store.core.LeaseMachine} maps what the
 * table holds and what a log entry asks to a reply, the changes to make durable, and the news for
 * watchers. No I/O, no clock, no randomness, no thread: whatever is not in the table or the entry
 * does not exist here, so every replica decides alike.
 */
@NullMarked
package io.leasehold.store.core;

import org.jspecify.annotations.NullMarked;
