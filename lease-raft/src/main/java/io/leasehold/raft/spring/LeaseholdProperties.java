package io.leasehold.raft.spring;

import io.leasehold.LeaseSettings;
import io.leasehold.raft.RaftLeasesConfig;
import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application says about its node.
 *
 * @param cluster Name of the cluster, the same on all its members.
 * @param id Which of the members this node is.
 * @param members All members of the cluster and where the others reach them, as id=host:port.
 * @param dir Folder in which this node keeps its state: its own, on a disk that stays.
 * @param bindHost Address this node listens on; that of its own member unless set.
 * @param insecureNetwork Whether this node starts without TLS on other addresses than loopback
 *     ones.
 * @param tls The files for TLS with the other members.
 * @param listener Whether this node, once it is added, never counts for a majority.
 * @param margin Part of each ttl that a holder gives up early, from 0.01 to 0.9.
 * @param requestTimeout How long an acquire, a release or a read may go unanswered.
 * @param sessionTtl How long the store remembers this process when it holds nothing and is silent.
 * @param closeTimeout How long closing waits for the store to confirm the releases.
 * @param electionTimeoutMin How long a member waits at least, without a word from the leader,
 *     before it wants to lead.
 * @param electionTimeoutMax How long a member waits at most.
 * @param locks The lock registry for Spring Integration.
 */
@ConfigurationProperties("leasehold")
record LeaseholdProperties(
    @Nullable String cluster,
    @Nullable String id,
    @DefaultValue List<String> members,
    @Nullable String dir,
    @Nullable String bindHost,
    @DefaultValue("false") boolean insecureNetwork,
    @DefaultValue Tls tls,
    @DefaultValue("false") boolean listener,
    @DefaultValue("0.2") double margin,
    @DefaultValue("5s") Duration requestTimeout,
    @DefaultValue("30s") Duration sessionTtl,
    @DefaultValue("2s") Duration closeTimeout,
    @DefaultValue("500ms") Duration electionTimeoutMin,
    @DefaultValue("1s") Duration electionTimeoutMax,
    @DefaultValue Locks locks) {

  /**
   * Files in PEM form; all of them, or none.
   *
   * @param key This node's private key.
   * @param certificates Its certificate, then those between it and a trusted one.
   * @param trusted Whose certificates are believed.
   */
  record Tls(@Nullable String key, @Nullable String certificates, @Nullable String trusted) {

    private boolean isSet() {
      return key != null || certificates != null || trusted != null;
    }

    private TlsFiles files() {
      return new TlsFiles(
          Path.of(required("tls.key", key, "the node's private key, a file in PEM form")),
          Path.of(required("tls.certificates", certificates, "the node's certificate, a file")),
          Path.of(required("tls.trusted", trusted, "whose certificates are believed, a file")));
    }
  }

  /**
   * The registry's part.
   *
   * @param prefix What stands before a lock's key in the name of its lease.
   * @param owner Owner of the leases, for people to read; the node's id unless set.
   * @param ttl How long a lock outlives its holder.
   */
  record Locks(
      @DefaultValue("locks/") String prefix,
      @Nullable String owner,
      @DefaultValue("10s") Duration ttl) {}

  /**
   * @throws LeaseholdPropertyException if one is missing or out of its limits
   */
  RaftLeasesConfig config() {
    StoreConfig own = storeConfig();
    return checked(
        "leasehold.*",
        () ->
            RaftLeasesConfig.of(own.cluster(), own.nodeId(), own.members(), own.folder())
                .withStore(own)
                .withMargin(margin)
                .withRequestTimeout(requestTimeout)
                .withSessionTtl(sessionTtl)
                .withCloseTimeout(closeTimeout));
  }

  private StoreConfig storeConfig() {
    String name = required("cluster", cluster, "the cluster's name, the same on all its members");
    String self = required("id", id, "which of leasehold.members this node is");
    String folder = required("dir", dir, "the folder for this node's state, on a disk that stays");
    if (members.isEmpty()) {
      throw missing("members", "all of them, as n1=host:port,n2=host:port,n3=host:port");
    }
    List<Member> all =
        checked("leasehold.members", () -> members.stream().map(Member::parse).toList());
    return checked(
        "leasehold.*",
        () -> {
          StoreConfig made =
              StoreConfig.of(name, self, all, Path.of(folder))
                  .withElectionTimeout(electionTimeoutMin, electionTimeoutMax);
          StoreConfig bound = bindHost == null ? made : made.withBindHost(bindHost);
          StoreConfig open = insecureNetwork ? bound.withInsecureNetwork() : bound;
          StoreConfig closed = tls.isSet() ? open.withTls(tls.files()) : open;
          return listener ? closed.asListener() : closed;
        });
  }

  /**
   * @throws LeaseholdPropertyException if one is missing or out of its limits
   */
  LeaseSettings lockSettings() {
    String owner =
        locks.owner() != null
            ? locks.owner()
            : required("id", id, "the owner of this node's locks");
    return checked("leasehold.locks.*", () -> LeaseSettings.of(locks.prefix(), owner, locks.ttl()));
  }

  private static String required(String name, @Nullable String value, String meaning) {
    if (value == null || value.isBlank()) {
      throw missing(name, meaning);
    }
    return value;
  }

  private static LeaseholdPropertyException missing(String name, String meaning) {
    return new LeaseholdPropertyException(
        "The property leasehold.%s must be set: %s".formatted(name, meaning), null);
  }

  private static <T> T checked(String names, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw new LeaseholdPropertyException(
          "The properties %s are refused: %s".formatted(names, e.getMessage()), e);
    }
  }
}
