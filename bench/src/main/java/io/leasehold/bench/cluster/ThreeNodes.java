package io.leasehold.bench.cluster;

import io.leasehold.raft.RaftLeases;
import java.util.List;

/** A running cluster of three nodes, one of which at least is in this process. */
public interface ThreeNodes extends AutoCloseable {

  /**
   * Returns a node of this process that leads now, or that does not. Waits for an election to end,
   * and moves the leadership if it has to.
   */
  RaftLeases nodeAt(Place place);

  /** The processes of all nodes, this one among them. */
  List<Long> pids();

  @Override
  void close();
}
