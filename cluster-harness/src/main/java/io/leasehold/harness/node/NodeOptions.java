package io.leasehold.harness.node;

import io.leasehold.harness.HostPort;
import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a node is started with.
 *
 * @param cluster the cluster's name
 * @param id this node
 * @param members all members, this one among them
 * @param folder its data folder
 * @param http where its HTTP interface listens
 * @param electionTimeout how long it waits for the leader at least before it wants to lead itself;
 *     at most it is twice that
 * @param listener whether it never votes
 * @param security who may reach it
 */
public record NodeOptions(
    String cluster,
    String id,
    List<Member> members,
    Path folder,
    HostPort http,
    Duration electionTimeout,
    boolean listener,
    NodeSecurity security) {

  private static final String STORE_FOLDER = "store";

  public NodeOptions {
    members = List.copyOf(members);
  }

  /** Where in a node's folder its member of the store keeps its state. */
  public static Path storeIn(Path folder) {
    return folder.resolve(STORE_FOLDER);
  }

  /** How its member of the store is to run. */
  public StoreConfig store() {
    StoreConfig config =
        StoreConfig.of(cluster, id, members, storeIn(folder))
            .withElectionTimeout(electionTimeout, electionTimeout.multipliedBy(2));
    return security.applyTo(listener ? config.asListener() : config);
  }
}
