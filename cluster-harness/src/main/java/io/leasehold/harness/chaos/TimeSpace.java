package io.leasehold.harness.chaos;

import java.io.IOException;
import java.util.List;

/**
 * Gives every start of every node a monotonic clock of its own origin, by time namespaces, so that
 * any comparison of two nodes' clocks shows. Where that is not possible all share one. Immutable.
 */
final class TimeSpace {

  private static final long NANOS = 1_000_000_000L;

  private final boolean possible;
  private final String means;

  private TimeSpace(boolean possible, String means) {
    this.possible = possible;
    this.means = means;
  }

  static TimeSpace probe() {
    try {
      Shell.run("unshare", "-T", "--monotonic", "1000", "--boottime", "1000", "--fork", "true");
      return new TimeSpace(true, "time namespaces: every start of a node has another origin");
    } catch (IOException e) {
      return new TimeSpace(false, "all nodes share one clock: " + e.getMessage());
    }
  }

  String means() {
    return means;
  }

  /** How far a start's clock is ahead of ours. */
  long aheadNanos(int place, int run) {
    return possible ? aheadSeconds(place, run) * NANOS : 0;
  }

  /** What a node's program has to be started with to have such a clock. */
  List<String> prefix(int place, int run) {
    String ahead = String.valueOf(aheadSeconds(place, run));
    return possible
        ? List.of(
            "unshare", "-T", "--monotonic", ahead, "--boottime", ahead, "--fork", "--kill-child")
        : List.of();
  }

  private static long aheadSeconds(int place, int run) {
    return (place * 37L + run * 5L) * 10_000;
  }
}
