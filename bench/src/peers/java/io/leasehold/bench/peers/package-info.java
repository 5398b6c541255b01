/** Adapters of other lease stores; built with the profile {@code peers} only. */
@NullMarked
package io.leasehold.bench.peers;

import org.jspecify.annotations.NullMarked;
