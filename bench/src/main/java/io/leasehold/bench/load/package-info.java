/** The load generator: many callers on a whole cluster, and what its processes cost. */
@NullMarked
package io.leasehold.bench.load;

import org.jspecify.annotations.NullMarked;
