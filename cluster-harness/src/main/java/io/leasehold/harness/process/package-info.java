/** Clusters of real node processes on this machine: started, killed, paused and started again. */
@NullMarked
package io.leasehold.harness.process;

import org.jspecify.annotations.NullMarked;
