/** Three nodes to measure: in this process, or in processes of their own. */
@NullMarked
package io.leasehold.bench.cluster;

import org.jspecify.annotations.NullMarked;
