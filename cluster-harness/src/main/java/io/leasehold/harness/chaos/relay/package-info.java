/**
 * Links between nodes that can be made slow, silent or half closed: the means where the system's
 * own are missing. {@link io.leasehold.harness.chaos.relay.Relay} is one link.
 */
@NullMarked
package io.leasehold.harness.chaos.relay;

import org.jspecify.annotations.NullMarked;
