/** Leases: named, exclusive claims with a time to live. */
@NullMarked
package io.leasehold;

import org.jspecify.annotations.NullMarked;
