package io.leasehold.raft;

import static java.util.Objects.requireNonNull;

import io.leasehold.store.StoreStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether a node can serve, and what an operator should do.
 *
 * @param state in a word
 * @param reasons why it is not ready, each a sentence with what to do; empty where it is
 * @param status what the node's replica knew of itself at that moment
 */
public record NodeHealth(State state, List<String> reasons, StoreStatus status) {

  /** In a word. */
  public enum State {
    /** It serves, and nothing is wrong that it knows of. */
    READY,
    /** It serves, and somebody should look at it or at another member. */
    DEGRADED,
    /** It can neither acquire nor renew now. */
    NOT_SERVING
  }

  public NodeHealth {
    requireNonNull(state, "state");
    reasons = List.copyOf(reasons);
    requireNonNull(status, "status");
    if (reasons.isEmpty() != (state == State.READY)) {
      throw new IllegalArgumentException("all but READY has a reason: " + state + " " + reasons);
    }
  }

  /** Whether it can serve: what a readiness probe asks. */
  public boolean serves() {
    return state != State.NOT_SERVING;
  }

  /**
   * Whether only another start of the process can help, as its replica has ended for good: what a
   * liveness probe may ask. A node that waits for a majority or for being added does not need one;
   * it would wait again.
   */
  public boolean needsRestart() {
    return status.failure().isPresent();
  }

  /** All reasons in one text; empty where it is ready. */
  public String reason() {
    return String.join("; ", reasons);
  }

  /** What follows from what a replica says of itself. Whether a majority answers it, does not. */
  static NodeHealth of(StoreStatus status) {
    Optional<String> no = reasonNotToServe(status);
    if (no.isPresent()) {
      return notServing(no.get(), status);
    }
    List<String> warnings = new ArrayList<>();
    status.warning().ifPresent(warnings::add);
    new TreeMap<>(status.memberWarnings())
        .forEach((member, warning) -> warnings.add("member " + member + " " + warning));
    return new NodeHealth(warnings.isEmpty() ? State.READY : State.DEGRADED, warnings, status);
  }

  static NodeHealth notServing(String reason, StoreStatus status) {
    return new NodeHealth(State.NOT_SERVING, List.of(reason), status);
  }

  private static Optional<String> reasonNotToServe(StoreStatus now) {
    if (now.failure().isPresent()) {
      return Optional.of("this node does not serve any more: " + now.failure().get());
    }
    if (now.waitsFor().isPresent()) {
      return Optional.of("this node does not serve yet: " + now.waitsFor().get());
    }
    if (now.leader().isEmpty()) {
      return Optional.of(
          "no leader is known: %s waits for a majority of its %d members; see that they run and can be reached"
              .formatted(now.node(), now.members().size()));
    }
    return Optional.empty();
  }
}
