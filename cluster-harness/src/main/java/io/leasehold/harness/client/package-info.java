/** Calls to a running node over its HTTP interface. */
@NullMarked
package io.leasehold.harness.client;

import org.jspecify.annotations.NullMarked;
