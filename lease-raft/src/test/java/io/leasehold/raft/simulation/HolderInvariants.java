package io.leasehold.raft.simulation;

import io.leasehold.LeaseLost;
import io.leasehold.raft.HolderSide.Believed;
import io.leasehold.raft.simulation.Violation.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Judges, after every step, what nodes believe. */
final class HolderInvariants {

  private final Tenures tenures;
  private final List<SimulatedNode> nodes;
  private final Map<Belief, Standing> beliefs = new HashMap<>();
  private List<Standing> alive = new ArrayList<>();
  private List<Standing> seen = new ArrayList<>();
  private long step;

  HolderInvariants(Tenures tenures, List<SimulatedNode> nodes) {
    this.tenures = tenures;
    this.nodes = nodes;
  }

  /** A hold in one life of a node; tokens are unique in the whole store. */
  private record Belief(String node, int life, long token) {}

  private static final class Standing {
    boolean over;
    boolean delivered;
    boolean givenUp;
    boolean closed;
    int losses;
    long seenAtStep;

    boolean isOwedItsLoss() {
      return delivered && !givenUp && !closed && losses == 0;
    }
  }

  /** Looks at all that is believed at this instant. */
  void check() {
    step++;
    for (SimulatedNode node : nodes) {
      if (node.isUp()) {
        for (Believed believed : node.holder().believed()) {
          Standing standing = standing(node, believed.token());
          if (!node.isAsleep()) {
            check(node, believed, standing);
          }
          standing.seenAtStep = step;
          seen.add(standing);
        }
      }
    }
    for (Standing standing : alive) {
      standing.over |= standing.seenAtStep != step;
    }
    List<Standing> former = alive;
    alive = seen;
    seen = former;
    seen.clear();
  }

  private void check(SimulatedNode node, Believed believed, Standing standing) {
    boolean isHolder =
        tenures
            .current(believed.name())
            .filter(tenure -> tenure.token == believed.token())
            .isPresent();
    if (!isHolder) {
      throw new Violation(
          Rule.EXCLUSION,
          "%s believes that '%s' has %s with token %d, and the log has %s"
              .formatted(
                  node.name(),
                  believed.owner(),
                  believed.name(),
                  believed.token(),
                  tenures
                      .current(believed.name())
                      .map(tenure -> "'" + tenure.holder.owner() + "' with " + tenure.token)
                      .orElse("it free")));
    }
    if (standing.over) {
      throw new Violation(
          Rule.LATCH, "%s believes in token %d again".formatted(node.name(), believed.token()));
    }
    if (standing.givenUp) {
      throw new Violation(
          Rule.RELEASED,
          "%s believes in token %d after its release".formatted(node.name(), believed.token()));
    }
  }

  private Standing standing(SimulatedNode node, long token) {
    return beliefs.computeIfAbsent(
        new Belief(node.name(), node.lives(), token), belief -> new Standing());
  }

  private Optional<Standing> known(SimulatedNode node, long token) {
    return Optional.ofNullable(beliefs.get(new Belief(node.name(), node.lives(), token)));
  }

  /** A call of acquire has answered true, with this token. */
  void delivered(SimulatedNode node, long token) {
    standing(node, token).delivered = true;
  }

  /** Its user has given up a hold that it believed in. */
  void givenUp(SimulatedNode node, long token) {
    standing(node, token).givenUp = true;
  }

  /** All holds of the node are given up. */
  void closing(SimulatedNode node) {
    beliefs.forEach((belief, standing) -> standing.closed |= belief.node().equals(node.name()));
  }

  /** A handler was told. */
  void lost(SimulatedNode node, LeaseLost lost) {
    Optional<Standing> known = known(node, lost.fencingToken());
    if (known.isEmpty() && lost.reason() == LeaseLost.Reason.UNREACHABLE) {
      throw new Violation(
          Rule.HONEST_GRANT, "never alive on %s, and lost: %s".formatted(node.name(), lost));
    }
    // What the store says to be over can have begun a moment ago, within the same step.
    Standing standing = standing(node, lost.fencingToken());
    if (standing.givenUp) {
      throw new Violation(
          Rule.LOSS_ONCE, "told on %s after its release: %s".formatted(node.name(), lost));
    }
    standing.losses++;
    if (standing.losses > 1) {
      throw new Violation(Rule.LOSS_ONCE, "told twice on %s: %s".formatted(node.name(), lost));
    }
  }

  /** A life of a node is over: nobody can be told anything there any more. */
  void ended(SimulatedNode node) {
    beliefs
        .keySet()
        .removeIf(belief -> belief.node().equals(node.name()) && belief.life() == node.lives());
  }

  /** Nothing happens any more: what was to be told has been told. */
  void checkAtRest() {
    Set<Long> believed = new HashSet<>();
    nodes.forEach(node -> node.holder().believed().forEach(hold -> believed.add(hold.token())));
    beliefs.forEach(
        (belief, standing) -> {
          boolean lives = believed.contains(belief.token());
          if (standing.isOwedItsLoss() && !lives) {
            throw new Violation(
                Rule.LOSS_ONCE,
                "the loss of token %d on %s was never told"
                    .formatted(belief.token(), belief.node()));
          }
          if (lives && standing.losses > 0) {
            throw new Violation(
                Rule.LOSS_ONCE,
                "the loss of token %d on %s was told, and it is alive"
                    .formatted(belief.token(), belief.node()));
          }
        });
  }
}
