/** The replicated table of leases. */
@NullMarked
package io.leasehold.store;

import org.jspecify.annotations.NullMarked;
