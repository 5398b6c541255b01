package io.leasehold.raft;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.TlsFiles;
import io.leasehold.time.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one node of a cluster is to run. Immutable.
 *
 * @param store the replica that this node embeds: cluster name, node id, members, folder, timeouts
 *     of Raft
 * @param margin the part of each ttl that a holder gives up early, 0.01 to 0.9. 0.2, the default,
 *     covers clocks whose rates are up to 11 % off real time; a margin m covers m / (2 - m)
 * @param requestTimeout how long an acquire, a release or a read may go unanswered before its
 *     caller is told so
 * @param sessionTtl how long the store remembers this process when it holds nothing and is silent,
 *     1 s to 1 h
 * @param closeTimeout how long {@link RaftLeases#close()} waits for the store to confirm the
 *     releases
 * @param callsMax how many commands may wait to be sent before further acquires are refused
 */
public record RaftLeasesConfig(
    StoreConfig store,
    double margin,
    Duration requestTimeout,
    Duration sessionTtl,
    Duration closeTimeout,
    int callsMax) {

  /**
   * @throws IllegalArgumentException naming the value that is out of its limits
   */
  public RaftLeasesConfig {
    require("store", store);
    if (!(margin >= 0.01 && margin <= 0.9)) {
      throw new IllegalArgumentException("margin must be from 0.01 to 0.9: " + margin);
    }
    requireWithin("requestTimeout", requestTimeout, Duration.ofMillis(50), Duration.ofHours(1));
    requireWithin("sessionTtl", sessionTtl, Duration.ofSeconds(1), Duration.ofHours(1));
    requireWithin("closeTimeout", closeTimeout, Duration.ZERO, Duration.ofMinutes(1));
    if (callsMax < 1) {
      throw new IllegalArgumentException("callsMax must be at least 1: " + callsMax);
    }
  }

  /**
   * A configuration with the defaults: margin 20 %, request timeout 5 s, session ttl 30 s, close
   * timeout 2 s, 100,000 waiting commands.
   *
   * @param cluster the cluster's name, the same on all its members
   * @param nodeId which of the members this node is
   * @param members all members with their addresses, this one included; the same list on each of
   *     them before the cluster has begun
   * @param dataFolder where this node keeps its state; its own, and never another node's
   */
  public static RaftLeasesConfig of(
      String cluster, String nodeId, List<Member> members, Path dataFolder) {
    return new RaftLeasesConfig(
        StoreConfig.of(cluster, nodeId, members, dataFolder),
        0.2,
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofSeconds(2),
        100_000);
  }

  /** This configuration with another replica. */
  public RaftLeasesConfig withStore(StoreConfig newStore) {
    return new RaftLeasesConfig(
        newStore, margin, requestTimeout, sessionTtl, closeTimeout, callsMax);
  }

  /** This configuration with TLS between the members: see {@link StoreConfig#withTls}. */
  public RaftLeasesConfig withTls(TlsFiles files) {
    return withStore(store.withTls(files));
  }

  /**
   * This configuration for a network that nobody else can reach: see {@link
   * StoreConfig#withInsecureNetwork}.
   */
  public RaftLeasesConfig withInsecureNetwork() {
    return withStore(store.withInsecureNetwork());
  }

  /** This configuration with another margin. */
  public RaftLeasesConfig withMargin(double newMargin) {
    return new RaftLeasesConfig(
        store, newMargin, requestTimeout, sessionTtl, closeTimeout, callsMax);
  }

  /** This configuration with another request timeout. */
  public RaftLeasesConfig withRequestTimeout(Duration newTimeout) {
    return new RaftLeasesConfig(store, margin, newTimeout, sessionTtl, closeTimeout, callsMax);
  }

  /** This configuration with another session ttl. */
  public RaftLeasesConfig withSessionTtl(Duration newTtl) {
    return new RaftLeasesConfig(store, margin, requestTimeout, newTtl, closeTimeout, callsMax);
  }

  /** This configuration with another close timeout. */
  public RaftLeasesConfig withCloseTimeout(Duration newTimeout) {
    return new RaftLeasesConfig(store, margin, requestTimeout, sessionTtl, newTimeout, callsMax);
  }

  /** This configuration with another limit of waiting commands. */
  public RaftLeasesConfig withCallsMax(int newCallsMax) {
    return new RaftLeasesConfig(
        store, margin, requestTimeout, sessionTtl, closeTimeout, newCallsMax);
  }

  HolderSettings holderSettings() {
    return new HolderSettings(margin, requestTimeout, sessionTtl, closeTimeout, callsMax);
  }

  private static void require(String field, @Nullable Object value) {
    if (value == null) {
      throw new IllegalArgumentException(field + " must not be null");
    }
  }

  private static void requireWithin(String field, Duration value, Duration least, Duration most) {
    require(field, value);
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s: %s"
              .formatted(
                  field, DurationText.of(least), DurationText.of(most), DurationText.of(value)));
    }
  }
}
