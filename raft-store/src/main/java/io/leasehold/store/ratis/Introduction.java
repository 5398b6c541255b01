package io.leasehold.store.ratis;

import java.util.Optional;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * What a node says of itself to whoever asks.
 *
 * @param peer who it is
 * @param entryFormat the newest format of log entries that it reads
 * @param listener whether it was started to be one
 * @param changedAt the log entry with the members that it knows of; negative without one
 * @param group the group that it keeps the log of, with the members that it knows of; empty before
 *     it has found one
 */
record Introduction(
    RaftPeerId peer, int entryFormat, boolean listener, long changedAt, Optional<RaftGroup> group) {

  /** Whether it knows, by an entry after this one, that a peer is not in its group. */
  boolean knowsWithout(RaftPeerId other, long after) {
    return changedAt > after && group.filter(known -> known.getPeer(other) == null).isPresent();
  }

  /**
   * Whether it takes itself for a member, and another knows, by an entry after its, that it is not.
   */
  boolean isFormerMemberFor(Introduction other) {
    return group.filter(known -> known.getPeer(peer) != null).isPresent()
        && other.knowsWithout(peer, changedAt);
  }
}
