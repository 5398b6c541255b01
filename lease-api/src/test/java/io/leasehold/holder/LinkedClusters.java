package io.leasehold.holder;

import io.leasehold.LeaseProvider;
import io.leasehold.contract.ContractCluster;
import io.leasehold.contract.ContractCluster.Capability;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;

/**
 * Clusters of clients of one server: one for each rule that runs, opened in advance and used again.
 * As many rules run side by side as there are clusters.
 */
public final class LinkedClusters implements AutoCloseable {

  private static final int CLUSTERS = 8;

  private final int port;
  private final Duration ttl;
  private final Set<Capability> more;
  private final Function<String, Client> opener;
  private final BlockingQueue<LinkedCluster> idle = new LinkedBlockingQueue<>();

  /** A client of the server. */
  public interface Client extends AutoCloseable {

    /** Returns a new provider on this client. */
    LeaseProvider newLeases();

    @Override
    void close();
  }

  /**
   * Opens the clusters.
   *
   * @param port of the server
   * @param more what they can do besides what can be done to a link
   * @param opener opens a client, given a URL
   */
  public static LinkedClusters open(
      int port, Duration ttl, Set<Capability> more, Function<String, Client> opener) {
    LinkedClusters clusters = new LinkedClusters(port, ttl, more, opener);
    for (int i = 0; i < CLUSTERS; i++) {
      LinkedCluster cluster = new LinkedCluster(clusters);
      cluster.warmUp();
      clusters.giveBack(cluster);
    }
    return clusters;
  }

  private LinkedClusters(
      int port, Duration ttl, Set<Capability> more, Function<String, Client> opener) {
    this.port = port;
    this.ttl = ttl;
    this.more = Set.copyOf(more);
    this.opener = opener;
  }

  int port() {
    return port;
  }

  Set<Capability> more() {
    return more;
  }

  Duration ttl() {
    return ttl;
  }

  Client open(String url) {
    return opener.apply(url);
  }

  /** Returns a cluster that no other rule uses; closing it gives it back. */
  public ContractCluster take() {
    try {
      return idle.take();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException("the test was interrupted", interrupted);
    }
  }

  void giveBack(LinkedCluster cluster) {
    idle.add(cluster);
  }

  @Override
  public void close() {
    idle.forEach(LinkedCluster::shutDown);
  }
}
