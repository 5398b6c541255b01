package io.leasehold.harness.up;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What can be done to a node from outside. */
enum NodeAction {
  KILL("was killed"),
  START("was started"),
  PAUSE("stands still"),
  RESUME("goes on"),
  CUT("is cut off from the others"),
  HEAL("is connected again");

  private final String done;

  NodeAction(String done) {
    this.done = done;
  }

  static Optional<NodeAction> of(String word) {
    return Arrays.stream(values()).filter(action -> action.word().equals(word)).findFirst();
  }

  /** As it is asked for. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What the node is, or does, once it is done. */
  String done() {
    return done;
  }
}
