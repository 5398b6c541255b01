package io.leasehold.store;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a replica knows of itself and the group.
 *
 * @param node this node
 * @param role its part in the group
 * @param leader the leader's name; empty when none is known
 * @param term the Raft term
 * @param appliedIndex the last entry that this replica has applied
 * @param leaseTimeNanos the replicated clock after that entry
 * @param members all that this node knows of: those of the group, or those it was started with
 *     before it is in one
 * @param listeners the names of those that do not vote
 * @param waitsFor why this replica does not serve yet, and what to do; empty once it does
 * @param warning what is wrong though it serves, and what to do; empty while nothing is
 * @param memberWarnings what is wrong with other members as far as this one can tell, and what to
 *     do, by their names
 * @param failure why this replica does not serve any more; empty while it does
 */
public record StoreStatus(
    String node,
    Role role,
    Optional<String> leader,
    long term,
    long appliedIndex,
    long leaseTimeNanos,
    List<Member> members,
    List<String> listeners,
    Optional<String> waitsFor,
    Optional<String> warning,
    Map<String, String> memberWarnings,
    Optional<String> failure) {

  public StoreStatus {
    requireNonNull(node, "node");
    requireNonNull(role, "role");
    requireNonNull(leader, "leader");
    members = List.copyOf(members);
    listeners = List.copyOf(listeners);
    requireNonNull(waitsFor, "waitsFor");
    requireNonNull(warning, "warning");
    memberWarnings = Map.copyOf(memberWarnings);
    requireNonNull(failure, "failure");
  }

  /** A replica's part in the group, as Raft has it. */
  public enum Role {
    /** It stamps and replicates what all members, itself included, ask for. */
    LEADER,
    /** It votes, and applies what the leader replicates; so is called a node in no group yet. */
    FOLLOWER,
    /** It knows of no leader, and wants to be it. */
    CANDIDATE,
    /** It applies what the leader replicates, and never counts for a majority. */
    LISTENER
  }
}
