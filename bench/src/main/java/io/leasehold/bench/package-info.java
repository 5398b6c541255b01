/** JMH benchmarks of what a program calls: {@code checkAlive()}, an acquire and its release. */
@NullMarked
package io.leasehold.bench;

import org.jspecify.annotations.NullMarked;
