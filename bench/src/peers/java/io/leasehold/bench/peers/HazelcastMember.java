package io.leasehold.bench.peers;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.leasehold.bench.cluster.BenchLog;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One member on loopback that takes part in consensus. */
final class HazelcastMember {

  private static final String HOST = "127.0.0.1";
  private static final long START_SECONDS_MAX = 60;

  private HazelcastMember() {}

  /** Arguments: its number, and the ports of all members. */
  public static void main(String[] args) {
    BenchLog.quiet();
    PeerProcesses.endWithParent();
    List<Integer> ports =
        List.of(args).subList(1, args.length).stream().map(Integer::valueOf).toList();
    HazelcastInstance unusedForItServesByItself =
        Hazelcast.newHazelcastInstance(config(Integer.parseInt(args[0]), ports));
  }

  /**
   * The defaults, on loopback; the first member leads.
   *
   * @param number which of the ports is its own
   */
  static Config config(int number, List<Integer> ports) {
    Config config = new Config();
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.socket.bind.any", "false");
    NetworkConfig network = config.getNetworkConfig();
    network.setPort(ports.get(number)).setPortAutoIncrement(false);
    network.getInterfaces().setEnabled(true).addInterface(HOST);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig()
        .setEnabled(true)
        .setMembers(ports.stream().map(port -> HOST + ":" + port).toList());
    // The first one is to lead, and to be made the leader soon.
    config.setProperty("hazelcast.raft.leadership.rebalance.period", "1");
    config
        .getCPSubsystemConfig()
        .setCPMemberCount(ports.size())
        .setCPMemberPriority(number == 0 ? 1 : 0);
    return config;
  }

  /** Waits until all members have found each other and can decide. */
  static void awaitConsensus(HazelcastInstance member) {
    try {
      if (!member
          .getCPSubsystem()
          .getCPSubsystemManagementService()
          .awaitUntilDiscoveryCompleted(START_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new IllegalStateException("Hazelcast's members do not find each other");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while Hazelcast started", e);
    }
  }
}
