/** Leases held against a replicated store. */
@NullMarked
package io.leasehold.raft;

import org.jspecify.annotations.NullMarked;
