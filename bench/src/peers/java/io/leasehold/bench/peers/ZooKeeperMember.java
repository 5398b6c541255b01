package io.leasehold.bench.peers;

import io.leasehold.bench.cluster.BenchLog;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** One ZooKeeper server as a process of its own. */
final class ZooKeeperMember {

  private ZooKeeperMember() {}

  /** Argument: the file with its settings. */
  public static void main(String[] args) {
    BenchLog.quiet();
    PeerProcesses.endWithParent();
    QuorumPeerMain.main(args);
  }
}
