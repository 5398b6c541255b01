/**
 * The holder's side of a lease, as far as every backend has it; none of it is for users: the handle
 * ({@code HoldHandle}) of a {@code SharedHold}, the table of them, how long a grant is trusted, and
 * the threads that users' code runs on.
 */
@NullMarked
package io.leasehold.holder;

import org.jspecify.annotations.NullMarked;
