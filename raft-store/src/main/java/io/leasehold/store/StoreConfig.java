package io.leasehold.store;

import io.leasehold.time.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How one replica is to run. Immutable; the relations between the values are checked here.
 *
 * @param cluster the cluster's name, the same on every member for ever: 1 to 128 letters, digits,
 *     dots, underscores and hyphens. Members of clusters with different names refuse each other
 * @param nodeId which of the members this node is
 * @param members every replica that is known of, this one included, and where the others reach it.
 *     A new cluster begins when all of them have been up at once, each with this list; later it is
 *     who to ask, and the group itself says who its members are
 * @param folder where this node keeps its log and its table. It belongs to this node of this
 *     cluster for ever; a node that has lost it has to be added anew
 * @param bindHost the address this node listens on: that of its own member unless set; a wildcard
 *     address opens the port to every network of the host
 * @param electionTimeoutMin how long a follower waits at least, without a word from the leader,
 *     before it wants to lead itself; the leader speaks at half of it
 * @param electionTimeoutMax how long it waits at most
 * @param readTimeout how long a read waits for this replica to catch up
 * @param snapshotLogBytes after how many bytes of log a snapshot of the table is taken. The log on
 *     disk is as long as two or three times that: what is older than the snapshot before is dropped
 * @param closeTimeout how long closing waits for another member to take the leadership over
 * @param listener whether this node, once it is added, never counts for a majority. It serves like
 *     any member. What it is it stays as long as its folder is
 * @param tls with which files it speaks TLS; empty for a node that does not, which starts on
 *     loopback addresses only
 * @param insecureNetwork whether it starts without TLS on any address
 */
public record StoreConfig(
    String cluster,
    String nodeId,
    List<Member> members,
    Path folder,
    String bindHost,
    Duration electionTimeoutMin,
    Duration electionTimeoutMax,
    Duration readTimeout,
    long snapshotLogBytes,
    Duration closeTimeout,
    boolean listener,
    Optional<TlsFiles> tls,
    boolean insecureNetwork) {

  private static final Duration ELECTION_TIMEOUT_LEAST = Duration.ofMillis(50);
  private static final Duration ELECTION_TIMEOUT_MOST = Duration.ofMinutes(1);
  private static final long SNAPSHOT_LOG_BYTES_LEAST = 4_096;

  /**
   * @throws IllegalArgumentException naming the value and its limits
   */
  public StoreConfig {
    members = List.copyOf(requireMembers(members));
    require("folder", folder);
    require("bindHost", bindHost);
    require("tls", tls);
    if (cluster == null || !cluster.matches("[A-Za-z0-9._-]{1,128}")) {
      throw new IllegalArgumentException(
          "cluster must be 1 to 128 letters, digits, dots, underscores or hyphens: " + cluster);
    }
    requireUnique(members);
    if (members.stream().noneMatch(member -> member.id().equals(nodeId))) {
      throw new IllegalArgumentException(
          "nodeId must be one of the members %s: %s"
              .formatted(members.stream().map(Member::id).toList(), nodeId));
    }
    if (bindHost.isBlank()) {
      throw new IllegalArgumentException("bindHost must not be blank");
    }
    requireWithin(
        "electionTimeoutMin", electionTimeoutMin, ELECTION_TIMEOUT_LEAST, ELECTION_TIMEOUT_MOST);
    requireWithin(
        "electionTimeoutMax", electionTimeoutMax, electionTimeoutMin, ELECTION_TIMEOUT_MOST);
    requireWithin("readTimeout", readTimeout, Duration.ofMillis(1), Duration.ofMinutes(10));
    requireWithin("closeTimeout", closeTimeout, Duration.ZERO, Duration.ofMinutes(1));
    if (snapshotLogBytes < SNAPSHOT_LOG_BYTES_LEAST) {
      throw new IllegalArgumentException(
          "snapshotLogBytes must be at least %d: %d"
              .formatted(SNAPSHOT_LOG_BYTES_LEAST, snapshotLogBytes));
    }
  }

  /** A configuration with the defaults for everything that has one. */
  public static StoreConfig of(String cluster, String nodeId, List<Member> members, Path folder) {
    return new StoreConfig(
        cluster,
        nodeId,
        members,
        folder,
        requireMembers(members).stream()
            .filter(member -> member.id().equals(nodeId))
            .findFirst()
            .map(Member::host)
            .orElse("127.0.0.1"),
        Duration.ofMillis(500),
        Duration.ofMillis(1_000),
        Duration.ofSeconds(5),
        16L << 20,
        Duration.ofSeconds(1),
        false,
        Optional.empty(),
        false);
  }

  /** This configuration, listening on another address. */
  public StoreConfig withBindHost(String newBindHost) {
    return new StoreConfig(
        cluster,
        nodeId,
        members,
        folder,
        newBindHost,
        electionTimeoutMin,
        electionTimeoutMax,
        readTimeout,
        snapshotLogBytes,
        closeTimeout,
        listener,
        tls,
        insecureNetwork);
  }

  /**
   * This configuration with other election timeouts: each time a follower waits anew, it waits for
   * a random time between the two.
   */
  public StoreConfig withElectionTimeout(Duration min, Duration max) {
    return new StoreConfig(
        cluster,
        nodeId,
        members,
        folder,
        bindHost,
        min,
        max,
        readTimeout,
        snapshotLogBytes,
        closeTimeout,
        listener,
        tls,
        insecureNetwork);
  }

  /** This configuration with another read timeout. */
  public StoreConfig withReadTimeout(Duration newReadTimeout) {
    return new StoreConfig(
        cluster,
        nodeId,
        members,
        folder,
        bindHost,
        electionTimeoutMin,
        electionTimeoutMax,
        newReadTimeout,
        snapshotLogBytes,
        closeTimeout,
        listener,
        tls,
        insecureNetwork);
  }

  /** This configuration with snapshots after another number of bytes. */
  public StoreConfig withSnapshotLogBytes(long newSnapshotLogBytes) {
    return new StoreConfig(
        cluster,
        nodeId,
        members,
        folder,
        bindHost,
        electionTimeoutMin,
        electionTimeoutMax,
        readTimeout,
        newSnapshotLogBytes,
        closeTimeout,
        listener,
        tls,
        insecureNetwork);
  }

  /** This configuration with another close timeout. */
  public StoreConfig withCloseTimeout(Duration newCloseTimeout) {
    return new StoreConfig(
        cluster,
        nodeId,
        members,
        folder,
        bindHost,
        electionTimeoutMin,
        electionTimeoutMax,
        readTimeout,
        snapshotLogBytes,
        newCloseTimeout,
        listener,
        tls,
        insecureNetwork);
  }

  /** This configuration for a node that never counts for a majority. */
  public StoreConfig asListener() {
    return new StoreConfig(
        cluster,
        nodeId,
        members,
        folder,
        bindHost,
        electionTimeoutMin,
        electionTimeoutMax,
        readTimeout,
        snapshotLogBytes,
        closeTimeout,
        true,
        tls,
        insecureNetwork);
  }

  /**
   * This configuration with TLS between the members, which all of them need to have; then they
   * believe nobody without a certificate for one of them.
   */
  public StoreConfig withTls(TlsFiles files) {
    require("tls", files);
    return new StoreConfig(
        cluster,
        nodeId,
        members,
        folder,
        bindHost,
        electionTimeoutMin,
        electionTimeoutMax,
        readTimeout,
        snapshotLogBytes,
        closeTimeout,
        listener,
        Optional.of(files),
        insecureNetwork);
  }

  /**
   * This configuration for a network that nobody else can reach: the node speaks on it without TLS,
   * with whoever is there. Whoever reaches a member's port can take leases away, and the cluster
   * apart.
   */
  public StoreConfig withInsecureNetwork() {
    return new StoreConfig(
        cluster,
        nodeId,
        members,
        folder,
        bindHost,
        electionTimeoutMin,
        electionTimeoutMax,
        readTimeout,
        snapshotLogBytes,
        closeTimeout,
        listener,
        tls,
        true);
  }

  /** Returns this node's own entry among the members. */
  public Member self() {
    return members.stream()
        .filter(member -> member.id().equals(nodeId))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("checked at construction"));
  }

  private static void require(String name, @Nullable Object value) {
    if (value == null) {
      throw new IllegalArgumentException(name + " must not be null");
    }
  }

  private static List<Member> requireMembers(@Nullable List<Member> members) {
    if (members == null || members.stream().anyMatch(Objects::isNull)) {
      throw new IllegalArgumentException("members must not be null, nor any of them: " + members);
    }
    return members;
  }

  private static void requireUnique(List<Member> members) {
    Set<String> ids = new HashSet<>();
    Set<String> addresses = new HashSet<>();
    for (Member member : members) {
      if (!ids.add(member.id())) {
        throw new IllegalArgumentException("member id given twice: " + member.id());
      }
      if (!addresses.add(member.address())) {
        throw new IllegalArgumentException("member address given twice: " + member.address());
      }
    }
  }

  private static void requireWithin(String name, Duration value, Duration least, Duration most) {
    require(name, value);
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s must be from %s to %s: %s"
              .formatted(
                  name, DurationText.of(least), DurationText.of(most), DurationText.of(value)));
    }
  }
}
