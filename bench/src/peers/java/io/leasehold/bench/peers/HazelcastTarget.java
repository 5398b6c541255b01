package io.leasehold.bench.peers;

import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.cp.CPGroupId;
import com.hazelcast.cp.internal.RaftService;
import com.hazelcast.cp.internal.raft.impl.RaftNode;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import io.leasehold.bench.load.Contender;
import io.leasehold.bench.load.LoadTarget;
import io.leasehold.harness.process.FreePorts;
import io.leasehold.harness.process.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Three members in three processes; this one's leads. */
final class HazelcastTarget implements LoadTarget {

  private static final int MEMBERS = 3;
  private static final Duration START_MAX = Duration.ofSeconds(60);

  private final String name;
  private final PeerProcesses others;
  private final HazelcastInstance own;

  private HazelcastTarget(String name, PeerProcesses others, HazelcastInstance own) {
    this.name = name;
    this.others = others;
    this.own = own;
  }

  static HazelcastTarget start(String name, Path folder) {
    List<Integer> ports = FreePorts.find(MEMBERS);
    PeerProcesses others = new PeerProcesses(folder);
    HazelcastTarget target =
        new HazelcastTarget(
            name, others, Hazelcast.newHazelcastInstance(HazelcastMember.config(0, ports)));
    try {
      others.startMembers(
          HazelcastMember.class, MEMBERS, ports.stream().map(String::valueOf).toList());
      HazelcastMember.awaitConsensus(target.own);
      target.settle();
      return target;
    } catch (RuntimeException e) {
      target.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Contender contender(String lease, String owner) {
    return new HazelcastContender(own.getCPSubsystem().getLock(lease));
  }

  @Override
  public List<Long> pids() {
    return others.pids();
  }

  /** Waits until the leadership has come here, as its priority says it should. */
  @Override
  public void settle() {
    boolean unusedAlwaysTrue =
        Patience.until(
            "a change of Hazelcast's leader",
            START_MAX,
            () -> Optional.of(isAsNamed()).filter(Boolean::booleanValue));
  }

  @Override
  public boolean isAsNamed() {
    CPGroupId group = own.getCPSubsystem().getLock("any").getGroupId();
    return Optional.ofNullable(raft().getRaftNode(group))
        .map(RaftNode::getLeader)
        .filter(raft().getLocalCPEndpoint()::equals)
        .isPresent();
  }

  /** There is no public way to see who leads. */
  private RaftService raft() {
    return ((HazelcastInstanceProxy) own)
        .getOriginal()
        .node
        .getNodeEngine()
        .getService(RaftService.SERVICE_NAME);
  }

  @Override
  public void close() {
    own.getLifecycleService().terminate();
    others.close();
  }
}
