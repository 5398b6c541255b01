/**
 * Elapsed time and "run later" as collaborators, so that everything that waits can be tested
 * without waiting.
 */
@NullMarked
package io.leasehold.time;

import org.jspecify.annotations.NullMarked;
