package io.leasehold.bench.peers;

import io.leasehold.bench.load.Contender;
import io.leasehold.bench.load.LoadTarget;
import io.leasehold.harness.process.FreePorts;
import io.leasehold.harness.process.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Three members in three processes; this one's leads. */
final class JGroupsTarget implements LoadTarget {

  private static final int MEMBERS = 3;
  private static final Duration START_MAX = Duration.ofSeconds(30);

  private final String name;
  private final JGroupsMember own;
  private final PeerProcesses others;

  private JGroupsTarget(String name, JGroupsMember own, PeerProcesses others) {
    this.name = name;
    this.own = own;
    this.others = others;
  }

  static JGroupsTarget start(String name, Path folder) {
    List<Integer> ports = FreePorts.find(MEMBERS);
    PeerProcesses others = new PeerProcesses(folder);
    // Whoever is first coordinates the group, and so is elected.
    JGroupsTarget target = new JGroupsTarget(name, JGroupsMember.start(0, folder, ports), others);
    try {
      List<String> what = new ArrayList<>(List.of(folder.toString()));
      ports.forEach(port -> what.add(port.toString()));
      others.startMembers(JGroupsMember.class, MEMBERS, what);
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
    return new JGroupsContender(own.replica(), lease, owner);
  }

  @Override
  public List<Long> pids() {
    return others.pids();
  }

  /** Waits until all are there and one leads; which one that is can only be looked at. */
  @Override
  public void settle() {
    boolean unusedAlwaysTrue =
        Patience.until(
            "an election of jgroups-raft",
            START_MAX,
            () ->
                Optional.of(
                        own.channel().getView().size() == MEMBERS && own.replica().leader() != null)
                    .filter(Boolean::booleanValue));
  }

  @Override
  public boolean isAsNamed() {
    return own.replica().isLeader();
  }

  @Override
  public void close() {
    own.close();
    others.close();
  }
}
