/** Benchmarks of the rules, the table, and whole clusters. */
@NullMarked
package io.leasehold.bench;

import org.jspecify.annotations.NullMarked;
