package io.leasehold.harness.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.LeaseEvent;
import io.leasehold.LeaseLost;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One server-sent event. What does not apply is left out.
 *
 * @param event {@code current} or {@code free} (the state when the stream began), {@code granted},
 *     {@code released}, {@code expired}, {@code taken-over}, {@code revoked}; {@code lost}: an
 *     owner on this very node was told of a loss; {@code leader}: this node knows another leader,
 *     or none when it is left out; {@code behind}: events were left out because the reader was too
 *     slow, so it should read {@code /leases} again
 * @param name the lease
 * @param owner the new holder of a grant, the former holder otherwise
 * @param node that holder's process
 * @param fencingToken that hold's token
 * @param reason of a loss
 * @param message of a loss, for people
 * @param leader the leader's id
 * @param term the Raft term of a leader event
 * @param missed how many events were left out
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EventView(
    String event,
    @Nullable String name,
    @Nullable String owner,
    @Nullable String node,
    @Nullable Long fencingToken,
    @Nullable String reason,
    @Nullable String message,
    @Nullable String leader,
    @Nullable Long term,
    @Nullable Long missed) {

  /** A change, or the state at the beginning. */
  public static EventView of(LeaseEvent event) {
    return new EventView(
        event.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        event.name(),
        event.owner(),
        event.node(),
        event.fencingToken() == 0 ? null : event.fencingToken(),
        null,
        null,
        null,
        null,
        null);
  }

  /** A loss that an owner on this node was told of. */
  public static EventView lost(LeaseLost lost, String node) {
    return new EventView(
        "lost",
        lost.lease(),
        lost.owner(),
        node,
        lost.fencingToken(),
        lost.reason().name(),
        lost.message(),
        null,
        null,
        null);
  }

  /** Another leader, or none. */
  public static EventView leader(@Nullable String leader, long term) {
    return new EventView("leader", null, null, null, null, null, null, leader, term, null);
  }

  /** Events were left out. */
  public static EventView behind(long missed) {
    return new EventView("behind", null, null, null, null, null, null, null, null, missed);
  }
}
