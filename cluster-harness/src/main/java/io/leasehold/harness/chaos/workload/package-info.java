/**
 * What runs inside each node of a run under faults: clients that acquire, hold and release, and the
 * recorder of all they see, in the node's own process and on its own clock. The harness talks to it
 * by lines on its standard input and output.
 */
@NullMarked
package io.leasehold.harness.chaos.workload;

import org.jspecify.annotations.NullMarked;
