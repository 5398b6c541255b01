package io.leasehold.harness.process;

import io.leasehold.harness.DurationNotation;
import io.leasehold.harness.HostPort;
import io.leasehold.harness.MemberList;
import io.leasehold.harness.node.NodeOptions;
import io.leasehold.store.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a node process is started.
 *
 * @param cluster the cluster's name
 * @param id the node's name
 * @param members all of the cluster
 * @param folder its data folder
 * @param http where its HTTP interface listens
 * @param electionTimeout how long it waits for the leader at least before it wants to lead itself
 * @param jvmOptions options of its JVM
 */
public record NodePlan(
    String cluster,
    String id,
    List<Member> members,
    Path folder,
    HostPort http,
    Duration electionTimeout,
    List<String> jvmOptions) {

  /**
   * More than a node on a machine of its own needs: several nodes that share a busy one would
   * otherwise take a leader that waits for a processor for dead.
   */
  public static final Duration PATIENT_ELECTION = Duration.ofMillis(400);

  /** A small JVM that starts fast: what a node of three on one machine needs. */
  public static final List<String> SMALL_JVM =
      List.of(
          "-Xmx128m",
          "-Xss512k",
          "-XX:+UseSerialGC",
          // Above what a node loads, so that starting does not end in a full collection.
          "-XX:MetaspaceSize=96m",
          "-XX:TieredStopAtLevel=1",
          "-XX:+ExitOnOutOfMemoryError");

  public NodePlan {
    members = List.copyOf(members);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** Where the others reach it. */
  public String address() {
    return members.stream()
        .filter(member -> member.id().equals(id))
        .findFirst()
        .map(Member::address)
        .orElseThrow();
  }

  /** Where it logs to. */
  public Path log() {
    return folder.resolve("node.log");
  }

  /** Where its member of the store keeps its state. */
  public Path store() {
    return NodeOptions.storeIn(folder);
  }

  /** This plan with other options for the JVM. */
  public NodePlan withJvmOptions(List<String> newOptions) {
    return new NodePlan(cluster, id, members, folder, http, electionTimeout, newOptions);
  }

  /** This plan for a cluster of another name. */
  public NodePlan withCluster(String newCluster) {
    return new NodePlan(newCluster, id, members, folder, http, electionTimeout, jvmOptions);
  }

  /** This plan on another folder. */
  public NodePlan withFolder(Path newFolder) {
    return new NodePlan(cluster, id, members, newFolder, http, electionTimeout, jvmOptions);
  }

  /** The arguments of the {@code node} command. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("node");
    arguments.addAll(List.of("--cluster", cluster));
    arguments.addAll(List.of("--id", id));
    arguments.addAll(List.of("--members", MemberList.of(members)));
    arguments.addAll(List.of("--dir", folder.toString()));
    arguments.addAll(List.of("--http", http.toString()));
    arguments.addAll(List.of("--election-timeout", DurationNotation.of(electionTimeout)));
    return arguments;
  }
}
