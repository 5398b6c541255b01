package io.leasehold.bench.peers;

import io.etcd.jetcd.Client;
import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.contract.ContractCluster.Capability;
import io.leasehold.harness.process.Patience;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Three etcd servers, each node a client with one etcd lease. */
record EtcdStore(EtcdServers servers) implements PeerStore {

  private static final long TTL_SECONDS = 3;
  private static final long ANSWER_SECONDS_MAX = 5;
  private static final Duration START_MAX = Duration.ofSeconds(30);

  static EtcdStore start(WorkFolder folder) {
    return new EtcdStore(EtcdServers.start(folder.path()));
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.CRASH, Capability.DISCONNECT, Capability.STORE_WIDE_TOKENS);
  }

  @Override
  public Duration ttl() {
    return Duration.ofSeconds(TTL_SECONDS);
  }

  @Override
  public PeerNode open(String name, Runnable onLoss) {
    CuttableLink link = CuttableLink.to(servers.endpoints().get(0).getPort());
    Client client = Client.builder().endpoints("http://" + link.address()).build();
    EtcdLease lease =
        Patience.until(
            "an answer of etcd",
            START_MAX,
            () -> {
              try {
                return Optional.of(
                    EtcdLease.grant(client, TTL_SECONDS, onLoss)
                        .get(ANSWER_SECONDS_MAX, TimeUnit.SECONDS));
              } catch (Exception notYet) {
                return Optional.empty();
              }
            });
    return new Node(link, client, lease);
  }

  @Override
  public void close() {
    servers.close();
  }

  private record Node(CuttableLink link, Client client, EtcdLease lease) implements PeerNode {

    @Override
    public NumberedContender contender(String name, String owner) {
      return new EtcdContender(
          client,
          name,
          owner,
          lease,
          () -> {
            throw new IllegalStateException("nobody waits in a queue here");
          });
    }

    @Override
    public void disconnect() {
      link.cut();
    }

    @Override
    public void reconnect() {
      link.mend();
    }

    @Override
    public void crash() {
      link.cut();
      lease.close();
      client.close();
      link.close();
    }

    @Override
    public void close() {
      lease.close();
      var unusedIfCutOffItRunsOut =
          client
              .getLeaseClient()
              .revoke(lease.id())
              .orTimeout(ANSWER_SECONDS_MAX, TimeUnit.SECONDS)
              .handle((answer, failure) -> answer)
              .join();
      client.close();
      link.close();
    }
  }
}
