/** A way into what leaders do, for the simulation. */
@NullMarked
package io.leasehold.store.ratis;

import org.jspecify.annotations.NullMarked;
