/**
 * What a node measures, told to Micrometer; all of it is in {@link
 * io.leasehold.raft.meters.NodeMeter}. For users is the builder of {@link
 * io.leasehold.raft.RaftLeases}: this package may change in every version, and the names, tags and
 * units of the meters do not.
 */
@NullMarked
package io.leasehold.raft.meters;

import org.jspecify.annotations.NullMarked;
