/** Who may speak with a member: TLS, what is refused before it is read, and what is said of it. */
@NullMarked
package io.leasehold.store.guard;

import org.jspecify.annotations.NullMarked;
