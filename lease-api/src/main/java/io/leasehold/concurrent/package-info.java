/** What providers, and what is built on leases, share about threads and about their end. */
@NullMarked
package io.leasehold.concurrent;

import org.jspecify.annotations.NullMarked;
