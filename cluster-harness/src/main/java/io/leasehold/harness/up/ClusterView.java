package io.leasehold.harness.up;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.leasehold.harness.wire.LeaseRow;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that the page shows of the cluster just now.
 *
 * @param run names this run of `up`
 * @param leader who leads as most nodes have it; null when unknown
 * @param term of that leader, or the highest that is known
 * @param leases null until they have been read
 * @param leasesAgeMillis how long ago the leases were read
 * @param leasesNote why they cannot be read now; null when they can
 * @param waiting who waits in line for a lease by an acquire from this page
 * @param isLoaded whether the small load runs
 */
record ClusterView(
    String run,
    @Nullable String leader,
    long term,
    List<NodeView> nodes,
    @Nullable List<LeaseRow> leases,
    long leasesAgeMillis,
    @Nullable String leasesNote,
    List<Claim> waiting,
    boolean isLoaded) {

  /**
   * One node.
   *
   * @param process running, paused or down
   * @param pid of its process; null while it is down
   * @param role as it says itself; null while it says nothing
   * @param isHealthy whether it serves; null when that is not known yet
   * @param note why it does not serve, or what is wrong all the same
   * @param latencyMillis how long a majority took to answer it
   */
  record NodeView(
      String id,
      String process,
      boolean isCutOff,
      @Nullable Long pid,
      String http,
      @Nullable String role,
      long term,
      long appliedIndex,
      @Nullable Boolean isHealthy,
      @Nullable String note,
      @Nullable Double latencyMillis) {}

  /** An owner on a node that wants a lease. */
  record Claim(String name, String owner, String node) {}

  /**
   * Something that has happened.
   *
   * @param number counts them from 1
   * @param atMillis by the wall clock
   * @param kind as in the nodes' events, or what was done to a node
   */
  record Happening(long number, long atMillis, String kind, String text) {}

  /**
   * One second in numbers.
   *
   * @param number counts the seconds that were looked at
   * @param entries log entries a second
   * @param changes of leases a second
   * @param latencyMillis of each node whose question a majority has answered
   */
  record Sample(
      long number,
      double entries,
      double changes,
      @JsonInclude(JsonInclude.Include.NON_NULL) Map<String, Double> latencyMillis) {}
}
