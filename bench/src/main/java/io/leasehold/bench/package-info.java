/**
 * JMH benchmarks: of what a program calls, {@code checkAlive()}, an acquire and its release; and of
 * the parts that every entry passes, the codec, the rules, the table.
 */
@NullMarked
package io.leasehold.bench;

import org.jspecify.annotations.NullMarked;
