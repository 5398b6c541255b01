/** A cluster of node processes to play with, and its page in the browser. */
@NullMarked
package io.leasehold.harness.up;

import org.jspecify.annotations.NullMarked;
