/** One node as a process: the store, its leases, and the HTTP interface to them. */
@NullMarked
package io.leasehold.harness.node;

import org.jspecify.annotations.NullMarked;
