package io.leasehold.bench.peers;

import io.leasehold.bench.cluster.WorkFolder;
import io.leasehold.contract.ContractCluster.Capability;
import io.leasehold.harness.process.FreePorts;
import io.leasehold.harness.process.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Three members of jgroups-raft in this process, each of them a node. */
final class JGroupsStore implements PeerStore {

  private static final List<String> NAMES = List.of("n1", "n2", "n3");
  private static final Duration START_MAX = Duration.ofSeconds(60);

  private final Path folder;
  private final List<Integer> ports = FreePorts.find(NAMES.size());
  private final Map<String, JGroupsMember> running = new HashMap<>();

  private JGroupsStore(Path folder) {
    this.folder = folder;
  }

  static JGroupsStore start(WorkFolder folder) {
    JGroupsStore store = new JGroupsStore(folder.path());
    NAMES.forEach(store::run);
    return store;
  }

  private JGroupsMember run(String name) {
    return running.computeIfAbsent(
        name, absent -> JGroupsMember.start(NAMES.indexOf(name), folder, ports));
  }

  @Override
  public Set<Capability> capabilities() {
    return EnumSet.of(Capability.CRASH, Capability.STORE_WIDE_TOKENS);
  }

  /** There is none; this is how long the rules wait. */
  @Override
  public Duration ttl() {
    return Duration.ofSeconds(2);
  }

  @Override
  public PeerNode open(String name, Runnable onLoss) {
    NAMES.forEach(this::run);
    boolean unusedAlwaysTrue =
        Patience.until(
            "an election of jgroups-raft",
            START_MAX,
            () ->
                Optional.of(running.values().stream().allMatch(m -> m.replica().leader() != null))
                    .filter(Boolean::booleanValue));
    return new Node(name, run(name));
  }

  @Override
  public void leave(PeerNode node) {
    // It is good for the next rule.
  }

  @Override
  public void close() {
    running.values().forEach(JGroupsMember::close);
    running.clear();
  }

  private final class Node implements PeerNode {

    private final String name;
    private final JGroupsMember member;

    Node(String name, JGroupsMember member) {
      this.name = name;
      this.member = member;
    }

    @Override
    public NumberedContender contender(String lease, String owner) {
      return new JGroupsContender(member.replica(), lease, name + "/" + owner);
    }

    @Override
    public void crash() {
      close();
    }

    @Override
    public void close() {
      running.remove(name);
      member.close();
    }
  }
}
