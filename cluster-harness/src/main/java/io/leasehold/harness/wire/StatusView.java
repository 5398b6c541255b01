package io.leasehold.harness.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.store.StoreStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node knows of itself and its group.
 *
 * @param node this node
 * @param role LEADER, FOLLOWER, CANDIDATE or LISTENER
 * @param leader the leader's id; null when unknown
 * @param term the Raft term
 * @param appliedIndex the last log entry this node has applied
 * @param leaseTimeNanos the replicated clock after that entry
 * @param members all members that the node knows of
 * @param waitsFor why this node does not serve yet; left out once it does
 * @param warning what is wrong though it serves; left out while nothing is
 * @param failure why this node does not serve any more; left out while it does
 */
public record StatusView(
    String node,
    String role,
    @Nullable String leader,
    long term,
    long appliedIndex,
    long leaseTimeNanos,
    List<MemberView> members,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String waitsFor,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String warning,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String failure) {

  public StatusView {
    members = List.copyOf(members);
  }

  /** What the store says, as it goes over the wire. */
  public static StatusView of(StoreStatus status) {
    return new StatusView(
        status.node(),
        status.role().name(),
        status.leader().orElse(null),
        status.term(),
        status.appliedIndex(),
        status.leaseTimeNanos(),
        status.members().stream()
            .map(
                member ->
                    new MemberView(
                        member.id(),
                        member.address(),
                        status.listeners().contains(member.id()),
                        status.memberWarnings().get(member.id())))
            .toList(),
        status.waitsFor().orElse(null),
        status.warning().orElse(null),
        status.failure().orElse(null));
  }

  /**
   * One member.
   *
   * @param id its name
   * @param address where the others reach it
   * @param listener whether it does not vote; left out where it does
   * @param warning what is wrong with it as far as the node that was asked can tell; left out while
   *     nothing is
   */
  public record MemberView(
      String id,
      String address,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean listener,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String warning) {}
}
