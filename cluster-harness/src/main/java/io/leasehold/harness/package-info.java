/** Clusters of real processes, to play with, to break on purpose, and to judge. */
@NullMarked
package io.leasehold.harness;

import org.jspecify.annotations.NullMarked;
