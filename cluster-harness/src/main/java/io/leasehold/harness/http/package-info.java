/**
 * The HTTP interface of a node: {@link io.leasehold.harness.http.NodeHttp} opens and closes it,
 * {@code Routes} says what there is, {@code LeaseRoutes} and {@code NodeRoutes} answer, {@code
 * Handles} keeps one lease handle per name and owner, {@code EventFeed} tells what happens.
 *
 * <p>Everything runs on one event loop, so nothing in here needs a lock unless it says so; answers
 * of the store come in on its own threads and are handed over to the loop.
 */
@NullMarked
package io.leasehold.harness.http;

import org.jspecify.annotations.NullMarked;
