package io.leasehold.harness.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.raft.NodeHealth;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a node that can serve.
 *
 * @param node the node
 * @param healthy true
 * @param state READY, or DEGRADED with a warning
 * @param leader the member that leads
 * @param warning what is wrong all the same, and what to do; left out while nothing is
 */
public record HealthView(
    String node,
    boolean healthy,
    String state,
    String leader,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String warning) {

  /** What a node that serves says. */
  public static HealthView of(NodeHealth health) {
    return new HealthView(
        health.status().node(),
        health.serves(),
        health.state().name(),
        health.status().leader().orElse(""),
        health.state() == NodeHealth.State.READY ? null : health.reason());
  }
}
