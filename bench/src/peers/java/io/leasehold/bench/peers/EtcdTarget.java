package io.leasehold.bench.peers;

import io.etcd.jetcd.Client;
import io.leasehold.bench.load.Contender;
import io.leasehold.bench.load.LoadTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A client of three etcd processes, with one etcd lease that all its keys share. */
final class EtcdTarget implements LoadTarget {

  private static final long TTL_SECONDS = 10;
  private static final long START_SECONDS_MAX = 30;

  private final String name;
  private final EtcdServers servers;
  private final Client client;
  private final EtcdLease shared;
  private final List<EtcdLease> own = new ArrayList<>();

  private EtcdTarget(String name, EtcdServers servers, Client client, EtcdLease shared) {
    this.name = name;
    this.servers = servers;
    this.client = client;
    this.shared = shared;
  }

  static EtcdTarget connect(String name, EtcdServers servers) {
    Client client = Client.builder().endpoints(servers.endpoints()).build();
    try {
      return new EtcdTarget(name, servers, client, lease(client));
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  private static EtcdLease lease(Client client) {
    try {
      return EtcdLease.grant(client, TTL_SECONDS, () -> {})
          .get(START_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while etcd started", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("etcd does not answer", e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Contender contender(String lease, String owner) {
    return new EtcdContender(client, lease, owner, shared, () -> remember(lease(client)));
  }

  private synchronized EtcdLease remember(EtcdLease lease) {
    own.add(lease);
    return lease;
  }

  @Override
  public List<Long> pids() {
    return servers.processes().pids();
  }

  @Override
  public synchronized void close() {
    own.forEach(EtcdLease::close);
    shared.close();
    client.close();
    servers.close();
  }
}
