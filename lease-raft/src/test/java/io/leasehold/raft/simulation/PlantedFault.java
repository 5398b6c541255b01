package io.leasehold.raft.simulation;

import io.leasehold.raft.simulation.Violation.Rule;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Mistakes that this design could have been built with, each as one or two lines of the real code
 * written otherwise. Most were made by others before (CASES.md), some are those that the model
 * checker was shown.
 */
@SuppressWarnings("ImmutableEnumChecker") // both collections are copies that nobody can change
enum PlantedFault {
  MARGIN_REMOVED(
      EnumSet.of(Rule.EXCLUSION),
      holder("LeaseNode", "(long) (ttl.toNanos() * (1 - settings.margin()))", "ttl.toNanos()")),

  DEADLINE_FROM_THE_REPLY(
      EnumSet.of(Rule.EXCLUSION),
      holder("Courier", "final long firstHandedNanos;", "long firstHandedNanos;"),
      holder(
          "StoreClient",
          "reconciliation.applied(flown,",
          "flown.firstHandedNanos = ticker.nanos(); reconciliation.applied(flown,")),

  DEADLINE_FROM_THE_RETRY(
      EnumSet.of(Rule.EXCLUSION),
      holder("Courier", "final long firstHandedNanos;", "long firstHandedNanos;"),
      holder(
          "Courier",
          "    flying.outstanding++;\n",
          "    flying.outstanding++;\n    flying.firstHandedNanos = ticker.nanos();\n")),

  LATE_RENEWAL_REVIVES(
      EnumSet.of(Rule.LATCH, Rule.EXCLUSION),
      holder("Reconciliation", "    holds.endOverdue();\n", ""),
      holder(
          "Holds",
          "    endOverdue();\n    long beforeNanos = session.renewedNanos();\n",
          "    long beforeNanos = firstHandedNanos;\n"),
      holder("Hold", "      STATE.compareAndSet(this, LIVE, OVERDUE);\n", "")),

  ALIVE_UNTIL_THE_RELEASE_IS_CONFIRMED(
      EnumSet.of(Rule.RELEASED),
      holder("RaftLease", "hold != null && node.isAlive(hold) && hold.end() ? hold : null", "null"),
      holder(
          "Claimant",
          """
                current.end();
                forget(current);
                lastRelease = giveBack(current.token());
          """,
          """
                lastRelease =
                    giveBack(current.token())
                        .whenComplete(
                            (done, failure) -> {
                              current.end();
                              forget(current);
                            });
          """)),

  SUSPEND_NOT_NOTICED(
      EnumSet.of(Rule.EXCLUSION),
      world("SimulatedNode", "      process.onWaking(started::distrustClock);\n", "")),

  SUSPEND_FORGETS_WHAT_IS_UNDER_WAY(
      EnumSet.of(Rule.EXCLUSION), holder("LeaseNode", "          client.distrustClock();\n", "")),

  LATE_GRANT_BELIEVED(
      EnumSet.of(Rule.HONEST_GRANT),
      holder(
          "Attempt",
          "    if (!node.isAlive(hold)) {\n      node.giveBack",
          "    if (false) {\n      node.giveBack")),

  GRANT_OF_AN_EARLIER_ACQUIRE_TAKEN(
      EnumSet.allOf(Rule.class),
      holder(
          "Attempt",
          "return grantedAcquisitionId == acquisitionId\n        && (state",
          "return (state")),

  REPLY_TO_AN_EARLIER_BATCH_TAKEN(
      EnumSet.allOf(Rule.class),
      holder(
          "Courier",
          "    if (flight != flying) {\n      return;\n    }\n    if (reply != null) {",
          "    if (reply != null) {")),

  ABANDONED_ACQUIRE_NOT_GIVEN_BACK(
      EnumSet.of(Rule.NO_ORPHAN),
      holder(
          "Attempt",
          "      node.send(new Command.Leave(claimant.name(), acquisitionId), answer -> {});\n      return false;",
          "      return false;")),

  LOST_HOLD_NOT_GIVEN_BACK(
      EnumSet.of(Rule.NO_ORPHAN, Rule.LIVENESS),
      holder(
          "LeaseNode",
          "    losePastDeadline(hold);\n    giveBack(hold.claimant().name(), hold.token());\n",
          "    losePastDeadline(hold);\n")),

  LOSS_TOLD_TWICE(
      EnumSet.of(Rule.LOSS_ONCE),
      holder(
          "Claimant",
          "    if (!lost.end()) {\n      return;\n    }\n    forget(lost);\n",
          "    lost.end();\n")),

  LOSS_TOLD_AFTER_A_RELEASE(
      EnumSet.of(Rule.LOSS_ONCE),
      holder(
          "Claimant",
          "      forget(current);\n      lastRelease = giveBack",
          "      lastRelease = giveBack"),
      holder("Claimant", "    if (!lost.end()) {\n      return;\n    }\n", "    lost.end();\n")),

  LOSS_NOT_TOLD(EnumSet.of(Rule.LOSS_ONCE), holder("Claimant", "    losses.tell(loss);\n", "")),

  EXPIRY_NOT_DECIDED_AGAIN(
      EnumSet.of(Rule.EXCLUSION),
      core(
          "LeaseRules",
          """
                if (grants.isDue(lease)) {
                  grants.end(lease, expired(lease), false);
                }
                return;
          """,
          """
                grants.end(lease, expired(lease), false);
                return;
          """)),

  RELEASE_WITHOUT_TOKEN(
      EnumSet.of(Rule.EXCLUSION),
      core(
          "LeaseRules",
          ".filter(lease -> lease.token() == command.token() && lease.isOf(session))\n        .map(this::release)",
          ".filter(lease -> lease.isOf(session))\n        .map(this::release)")),

  TOKEN_KEPT_BY_A_HAND_OVER(
      EnumSet.of(Rule.TOKEN_ORDER),
      core(
          "Grants",
          "    draft.state(draft.state().withNextToken());\n",
          "    if (byOwnCommand) {\n      draft.state(draft.state().withNextToken());\n    }\n")),

  COUNTER_NOT_IN_SNAPSHOTS(
      EnumSet.of(Rule.TOKEN_ORDER, Rule.SAME_REPLICAS),
      table(
          "    copy.state = state;\n",
          "    copy.state =\n        new StoreState(\n            state.leaseTimeNanos(), 0, state.sessionsOpened(), state.sessions(), state.leases());\n")),

  HAND_OVER_TO_A_DEAD_WAITER(
      EnumSet.of(Rule.LIVING_HOLDER),
      core("Grants", "      if (isLiving(next)) {", "      if (true) {")),

  LAST_COME_FIRST_SERVED(
      EnumSet.of(Rule.FIRST_COME),
      core(
          "Grants",
          "Waiter next = queue.remove(0);",
          "Waiter next = queue.remove(queue.size() - 1);")),

  BATCH_APPLIED_TWICE(
      EnumSet.of(Rule.EXACTLY_ONCE),
      core(
          "LeaseMachine",
          "if (origin.sequence() > session.sequence()) {",
          "if (origin.sequence() >= session.sequence()) {")),

  LEASE_TIME_FALLS(
      EnumSet.of(Rule.LEASE_TIME),
      core("StoreState", "Math.max(leaseTimeNanos, entry.stampNanos())", "entry.stampNanos()")),

  STAMP_OF_ANOTHER_TERM_COUNTS(
      EnumSet.of(Rule.LEASE_TIME), core("Entry", "return stampTerm == term;", "return true;")),

  CLOCK_FROM_ITS_OLD_ANCHOR(
      EnumSet.of(Rule.LEASE_TIME),
      leader(
          "LeaderClock",
          "      if (term == anchoredTerm) {\n",
          "      if (anchoredTerm >= 0 && leadership.isReady()) {\n        anchoredTerm = term;\n")),

  CLOCK_FROM_THE_NODES_OWN(
      EnumSet.of(Rule.LEASE_TIME),
      leader(
          "LeaderClock",
          "long leaseTime = appliedLeaseTime.getAsLong();",
          "long leaseTime = ticker.nanos();")),

  CLOCK_FROM_THE_WALL(
      EnumSet.of(Rule.LEASE_TIME),
      world(
          "SimulatedReplica",
          "() -> table.state().leaseTimeNanos(),",
          "() -> group.wallSeconds(node) * 1_000_000_000L,"));

  private final Set<Rule> breaks;
  private final List<Patch> patches;

  PlantedFault(Set<Rule> breaks, Patch... patches) {
    this.breaks = Set.copyOf(breaks);
    this.patches = List.of(patches);
  }

  /**
   * Some code written otherwise.
   *
   * @param source the file it is in
   * @param is what is there, exactly once
   * @param becomes what takes its place
   */
  record Patch(Path source, String is, String becomes) {}

  /** Which rules it breaks. */
  Set<Rule> breaks() {
    return breaks;
  }

  List<Patch> patches() {
    return patches;
  }

  private static Patch holder(String type, String is, String becomes) {
    return patch("src/main/java/io/leasehold/raft", type, is, becomes);
  }

  private static Patch core(String type, String is, String becomes) {
    return patch("../raft-store/src/main/java/io/leasehold/store/core", type, is, becomes);
  }

  private static Patch leader(String type, String is, String becomes) {
    return patch("../raft-store/src/main/java/io/leasehold/store/ratis", type, is, becomes);
  }

  private static Patch table(String is, String becomes) {
    return patch(
        "../raft-store/src/test/java/io/leasehold/store/core", "MapLeaseTable", is, becomes);
  }

  private static Patch world(String type, String is, String becomes) {
    return patch("src/test/java/io/leasehold/raft/simulation", type, is, becomes);
  }

  private static Patch patch(String folder, String type, String is, String becomes) {
    return new Patch(Path.of(folder, type + ".java"), is, becomes);
  }
}
