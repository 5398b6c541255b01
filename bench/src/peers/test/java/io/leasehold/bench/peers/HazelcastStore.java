package io.leasehold.bench.peers;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.contract.ContractCluster.Capability;
import io.leasehold.harness.process.FreePorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Three members of Hazelcast in this process; each node is a client, for a member that has ended
 * does not come back as itself. A client whose link is cut goes to another member, so none can be
 * cut off.
 */
record HazelcastStore(List<Integer> ports, List<HazelcastInstance> members) implements PeerStore {

  private static final int MEMBERS = 3;
  private static final int SESSION_SECONDS = 4;
  private static final int HEARTBEAT_SECONDS = 1;

  static HazelcastStore start(WorkFolder unusedForAllIsInMemory) {
    HazelcastStore store = new HazelcastStore(FreePorts.find(MEMBERS), new ArrayList<>());
    for (int i = 0; i < MEMBERS; i++) {
      Config config = HazelcastMember.config(i, store.ports);
      config
          .getCPSubsystemConfig()
          .setSessionTimeToLiveSeconds(SESSION_SECONDS)
          .setSessionHeartbeatIntervalSeconds(HEARTBEAT_SECONDS);
      store.members.add(Hazelcast.newHazelcastInstance(config));
    }
    HazelcastMember.awaitConsensus(store.members.get(0));
    return store;
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.CRASH, Capability.STORE_WIDE_TOKENS);
  }

  @Override
  public Duration ttl() {
    return Duration.ofSeconds(SESSION_SECONDS);
  }

  @Override
  public PeerNode open(String name, Runnable onLoss) {
    CuttableLink link = CuttableLink.to(ports.get(0));
    ClientConfig config = new ClientConfig();
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.getNetworkConfig().setSmartRouting(false).addAddress(link.address());
    return new Node(link, HazelcastClient.newHazelcastClient(config));
  }

  @Override
  public void close() {
    members.forEach(member -> member.getLifecycleService().terminate());
  }

  private record Node(CuttableLink link, HazelcastInstance client) implements PeerNode {

    @Override
    public NumberedContender contender(String lease, String owner) {
      return OwnThread.of(new HazelcastContender(client.getCPSubsystem().getLock(lease)));
    }

    /** The cut stays, and the client may take its time to see that nobody answers. */
    @Override
    public void crash() {
      link.cut();
      Thread end = new Thread(client.getLifecycleService()::terminate, "crash");
      end.setDaemon(true);
      end.start();
    }

    @Override
    public void close() {
      client.shutdown();
      link.close();
    }
  }
}
