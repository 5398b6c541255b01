package io.leasehold.store.ratis;

import java.util.Optional;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * What a node says of itself to whoever asks.
 *
 * @param peer who it is
 * @param entryFormat the newest format of log entries that it reads
 * @param group the group that it keeps the log of, with the members that it knows of; empty before
 *     it has found one
 */
record Introduction(RaftPeerId peer, int entryFormat, Optional<RaftGroup> group) {}
