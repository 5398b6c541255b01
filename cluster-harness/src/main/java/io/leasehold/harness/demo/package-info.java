/** The demonstration: a cluster of three processes, what it goes through, and what must hold. */
@NullMarked
package io.leasehold.harness.demo;

import org.jspecify.annotations.NullMarked;
