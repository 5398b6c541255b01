package io.leasehold.bench.cluster;

import static java.util.Objects.requireNonNull;

import io.leasehold.harness.process.FreePorts;
import io.leasehold.raft.RaftLeasesConfig;
import io.leasehold.store.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Which nodes a cluster has, and where each keeps its state.
 *
 * @param members all nodes, on loopback
 * @param folder holds one folder for each node
 */
public record ClusterPlan(List<Member> members, Path folder) {

  private static final String CLUSTER = "bench";
  private static final String LOOPBACK = "127.0.0.1";

  public ClusterPlan {
    members = List.copyOf(members);
    requireNonNull(folder, "folder");
  }

  /** Plans nodes n1, n2 and n3 on free ports. */
  public static ClusterPlan ofThree(Path folder) {
    List<Integer> ports = FreePorts.find(3);
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      members.add(member("n" + (i + 1), ports.get(i)));
    }
    return new ClusterPlan(members, folder);
  }

  static Member member(String id, int port) {
    return new Member(id, LOOPBACK, port);
  }

  /** Where a node keeps its state. */
  Path folderOf(String id) {
    Path own = folder.resolve(id);
    try {
      return Files.createDirectories(own);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make the folder " + own, e);
    }
  }

  /** The configuration of a node: the defaults, as the log is synced to disk by them. */
  RaftLeasesConfig configOf(String id) {
    return RaftLeasesConfig.of(CLUSTER, id, members, folderOf(id));
  }
}
