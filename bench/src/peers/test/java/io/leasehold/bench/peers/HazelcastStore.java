package io.leasehold.bench.peers;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
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
 * does not come back as itself.
 */
record HazelcastStore(List<Integer> ports, List<HazelcastInstance> members) implements PeerStore {

  private static final int MEMBERS = 3;
  private static final int SESSION_SECONDS = 4;
  private static final int HEARTBEAT_SECONDS = 1;

  /** Shorter than the session, as by default; of both the default is minutes. */
  private static final int SILENCE_MILLIS_MAX = 2_500;

  private static final int BETWEEN_SIGNS_MILLIS = 500;

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
    return EnumSet.of(Capability.CRASH, Capability.DISCONNECT);
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
    config.setProperty("hazelcast.client.heartbeat.timeout", Integer.toString(SILENCE_MILLIS_MAX));
    config.setProperty(
        "hazelcast.client.heartbeat.interval", Integer.toString(BETWEEN_SIGNS_MILLIS));
    config.getNetworkConfig().setSmartRouting(false).addAddress(link.address());
    HazelcastInstance client = HazelcastClient.newHazelcastClient(config);
    client
        .getLifecycleService()
        .addLifecycleListener(
            event -> {
              if (event.getState() == LifecycleState.CLIENT_DISCONNECTED) {
                onLoss.run();
              }
            });
    return new Node(link, client);
  }

  @Override
  public void leave(PeerNode node) {
    ((Node) node).terminate();
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

    @Override
    public void disconnect() {
      link.cut();
    }

    @Override
    public void reconnect() {
      link.mend();
    }

    /** The cut stays, and the client may take its time to see that nobody answers. */
    @Override
    public void crash() {
      link.cut();
      Thread end = new Thread(this::terminate, "crash");
      end.setDaemon(true);
      end.start();
    }

    void terminate() {
      client.getLifecycleService().terminate();
      link.close();
    }

    @Override
    public void close() {
      client.shutdown();
      link.close();
    }
  }
}
