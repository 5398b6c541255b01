package io.leasehold.store.ratis;

import static java.util.stream.Collectors.joining;

import io.leasehold.store.StoreConfig;
import io.leasehold.store.guard.Entrance;
import io.leasehold.store.guard.MemberTls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * Every option of Ratis that matters to a store of leases, said out loud with its reason, also
 * where it equals the default: a default is somebody else's decision and may change.
 */
final class RatisSettings {

  /**
   * The largest message between members. A batch has at most 2 MB; Ratis wants 1 MB more than what
   * it puts into one append.
   */
  static final int MESSAGE_BYTES_MAX = 8 << 20;

  private static final long SEGMENT_BYTES_MAX = 8 << 20;

  /** The room that a disk must have for a node to start on it. */
  static final long FREE_BYTES_MIN = 8 << 20;

  private RatisSettings() {}

  /**
   * The id of a group in which members are their names: it was made of the cluster's name and
   * theirs.
   *
   * @param names of the members with which the group began
   * @param backup names what it began with; empty for a group that began with nothing
   */
  static RaftGroupId groupIdOfNames(String cluster, List<String> names, String backup) {
    String name = "leasehold:" + cluster + ":" + names.stream().sorted().collect(joining(","));
    if (!backup.isEmpty()) {
      name += ":" + backup;
    }
    return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
  }

  static RaftProperties properties(StoreConfig config, Path raftFolder) {
    RaftProperties properties = new RaftProperties();
    network(properties, config);
    elections(properties, config);
    log(properties, config, raftFolder);
    replication(properties);
    snapshots(properties);
    requests(properties);
    return properties;
  }

  /**
   * What cannot be said as a property.
   *
   * @param self this node
   * @param server its server
   * @param introduction what it says of itself
   * @param callers refuses those that are none
   * @param entrance refuses what is no call
   * @param tls how the members speak; empty to speak in the clear
   */
  static Parameters parameters(
      RaftPeerId self,
      AppendGuard.Server server,
      Supplier<Introduction> introduction,
      CallerGuard callers,
      Entrance entrance,
      Optional<MemberTls> tls) {
    AppendGuard guard = new AppendGuard(server);
    Parameters parameters = new Parameters();
    tls.ifPresent(own -> GrpcConfigKeys.Server.setTlsConf(parameters, own.forRatis()));
    GrpcConfigKeys.Server.setServicesCustomizer(
        parameters,
        (builder, types) ->
            entrance
                .applyTo(guard.customize(builder, types))
                .intercept(new PeerGuard(self)) // before the guard, as it was added later
                .intercept(callers) // before both
                .addService(Introductions.service(introduction)));
    return parameters;
  }

  private static void network(RaftProperties properties, StoreConfig config) {
    GrpcConfigKeys.Server.setHost(properties, config.bindHost());
    GrpcConfigKeys.Server.setPort(properties, config.self().port());
    GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(MESSAGE_BYTES_MAX));
    GrpcConfigKeys.setFlowControlWindow(properties, SizeInBytes.valueOf("1MB"));
    // Heartbeats do not queue behind entries or chunks of a snapshot.
    GrpcConfigKeys.Server.setHeartbeatChannel(properties, true);
    RaftServerConfigKeys.Rpc.setRequestTimeout(properties, seconds(3));
    // Until a member counts as slow the leader spins on it, on a whole core, while it has nothing
    // to send but cannot connect; the default is a minute. Slow has no other meaning. The answers
    // to heartbeats, which go out every half timeout, have to come within it.
    RaftServerConfigKeys.Rpc.setSlownessTimeout(
        properties, time(config.electionTimeoutMin().multipliedBy(7).dividedBy(10)));
  }

  private static void elections(RaftProperties properties, StoreConfig config) {
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, time(config.electionTimeoutMin()));
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, time(config.electionTimeoutMax()));
    // Nobody can be leading yet when all members start, and a member that starts alone only asks.
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(
        properties, time(config.electionTimeoutMin().dividedBy(2)));
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(
        properties, time(config.electionTimeoutMin()));
    // A member that comes back must not depose a leader that everybody else hears.
    RaftServerConfigKeys.LeaderElection.setPreVote(properties, true);
    // A former leader that had lost its majority would wait ten seconds before it stands again, and
    // there may be nobody else. The same value is the pause of the JVM after which a leader steps
    // down; it is not one by then anyway.
    RaftServerConfigKeys.LeaderElection.setLeaderStepDownWaitTime(
        properties, time(config.electionTimeoutMax().multipliedBy(4)));
    // Ratis would close the server after a pause of a minute, and the application would go on
    // without it. Whoever was paused finds out by his term.
    RaftServerConfigKeys.setCloseThreshold(properties, TimeDuration.valueOf(3_650, TimeUnit.DAYS));
    RaftServerConfigKeys.setSleepDeviationThreshold(properties, millis(300));
    RaftServerConfigKeys.Notification.setNoLeaderTimeout(properties, seconds(60));
  }

  private static void log(RaftProperties properties, StoreConfig config, Path raftFolder) {
    RaftServerConfigKeys.setStorageDir(properties, List.of(raftFolder.toFile()));
    RaftServerConfigKeys.setStorageFreeSpaceMin(properties, SizeInBytes.valueOf(FREE_BYTES_MIN));
    RaftServerConfigKeys.Log.setUseMemory(properties, false);
    // An acknowledged entry is on the disks of a majority: nothing is flushed later or not at all.
    RaftServerConfigKeys.Log.setForceSyncNum(properties, 128);
    RaftServerConfigKeys.Log.setUnsafeFlushEnabled(properties, false);
    RaftServerConfigKeys.Log.setAsyncFlushEnabled(properties, false);
    // A log that cannot be read is refused, not cut at the first fault.
    RaftServerConfigKeys.Log.setCorruptionPolicy(
        properties, RaftServerConfigKeys.Log.CorruptionPolicy.EXCEPTION);
    // One entry less for each commit. What it would tell a follower comes with the next heartbeat.
    RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    // Otherwise an append that fails once, as one does that overtakes another when the leader has
    // connected anew, makes all that follow fail until the next start; and AppendGuard would guard
    // nothing, for it is in the log only later.
    RaftServerConfigKeys.Log.setAppendEntriesComposeEnabled(properties, false);
    // The log is dropped segment by segment.
    long segment = Math.min(SEGMENT_BYTES_MAX, config.snapshotLogBytes() / 2);
    RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(segment));
    // Segments are preallocated on each start of a term: 64 kB keep an idle node's folder small.
    RaftServerConfigKeys.Log.setPreallocatedSize(
        properties, SizeInBytes.valueOf(Math.min(64 << 10, segment)));
    RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf("3200KB"));
    // What is cached of the log in memory, besides the open segment.
    RaftServerConfigKeys.Log.setSegmentCacheNumMax(properties, 2);
    RaftServerConfigKeys.Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf("16MB"));
    RaftServerConfigKeys.Log.setQueueElementLimit(properties, 4_096);
    RaftServerConfigKeys.Log.setQueueByteLimit(properties, SizeInBytes.valueOf("32MB"));
  }

  private static void replication(RaftProperties properties) {
    // The appender pauses this long between two sends. With the default of 1 ms an entry waits for
    // it; with 0 the appender spins. Whole milliseconds are cut off where it waits to be woken.
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(
        properties, TimeDuration.valueOf(200, TimeUnit.MICROSECONDS));
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf("3MB"));
    // A leader that sends a snapshot of more chunks than may be unanswered to a member that cannot
    // be
    // reached any more waits until the time of all of them is up, 1.2 s here and 24 s by default; a
    // member that comes back meanwhile hears nothing. So many bytes in that time are 3.5 Mbit/s.
    RaftServerConfigKeys.Log.Appender.setSnapshotChunkSizeMax(
        properties, SizeInBytes.valueOf("128KB"));
    GrpcConfigKeys.Server.setInstallSnapshotRequestElementLimit(properties, 4);
    GrpcConfigKeys.Server.setInstallSnapshotRequestTimeout(properties, millis(300));
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, true);
    // How long the leader waits before it tries a member again that does not answer. The default
    // grows to 5 s, during which a member that is back hears nothing and stands for election.
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(
        properties, "1ms,10, 50ms,100, 200ms,1000000000");
    GrpcConfigKeys.Server.setLeaderOutstandingAppendsMax(properties, 8);
  }

  /** {@link SnapshotTaker} takes them and drops the log before them; Ratis must do neither. */
  private static void snapshots(RaftProperties properties) {
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
    // Closing is to be quick, and the log is short enough to be replayed.
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);
    RaftServerConfigKeys.Snapshot.setTriggerWhenRemoveEnabled(properties, false);
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, false);
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, 0);
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
  }

  private static void requests(RaftProperties properties) {
    // Exactly-once rests on a batch's sequence, not on this cache: it is only kept from growing.
    RaftServerConfigKeys.RetryCache.setExpiryTime(properties, seconds(2));
    // Reads never ask Ratis: they go through the log.
    RaftServerConfigKeys.Read.setOption(properties, RaftServerConfigKeys.Read.Option.DEFAULT);
    RaftServerConfigKeys.Read.setTimeout(properties, seconds(1));
    RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, false);
    RaftServerConfigKeys.Read.ReadAfterWriteConsistent.setWriteIndexCacheExpiryTime(
        properties, seconds(2));
    RaftServerConfigKeys.Write.setElementLimit(properties, 1_024);
    RaftServerConfigKeys.Write.setByteLimit(properties, SizeInBytes.valueOf("64MB"));
  }

  private static TimeDuration time(Duration duration) {
    return millis(duration.toMillis());
  }

  private static TimeDuration millis(long millis) {
    return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
  }

  private static TimeDuration seconds(long seconds) {
    return TimeDuration.valueOf(seconds, TimeUnit.SECONDS);
  }
}
