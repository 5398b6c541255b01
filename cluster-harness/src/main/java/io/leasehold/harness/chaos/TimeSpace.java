package io.leasehold.harness.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives every start of every node a monotonic clock of its own origin, by time namespaces, so that
 * any comparison of two nodes' clocks shows. Where that is not possible all share one. Immutable.
 */
final class TimeSpace {

  private static final long NANOS = 1_000_000_000L;

  /** For root, and for others, who need a user namespace first. */
  private static final List<List<String>> WAYS =
      List.of(List.of("unshare", "-T"), List.of("unshare", "--user", "--map-root-user", "-T"));

  private final List<String> way;
  private final String means;

  private TimeSpace(List<String> way, String means) {
    this.way = List.copyOf(way);
    this.means = means;
  }

  static TimeSpace probe() {
    String why = "";
    for (List<String> way : WAYS) {
      try {
        Shell.run(command(way, "1000", "--fork", "true"));
        return new TimeSpace(way, "time namespaces: every start of a node has another origin");
      } catch (IOException e) {
        why = String.valueOf(e.getMessage());
      }
    }
    return new TimeSpace(List.of(), "all nodes share one clock: " + why);
  }

  private static List<String> command(List<String> way, String ahead, String... more) {
    List<String> command = new ArrayList<>(way);
    command.addAll(List.of("--monotonic", ahead, "--boottime", ahead));
    command.addAll(List.of(more));
    return command;
  }

  String means() {
    return means;
  }

  /** How far a start's clock is ahead of ours. */
  long aheadNanos(int place, int run) {
    return way.isEmpty() ? 0 : aheadSeconds(place, run) * NANOS;
  }

  /** What a node's program has to be started with to have such a clock. */
  List<String> prefix(int place, int run) {
    String ahead = String.valueOf(aheadSeconds(place, run));
    return way.isEmpty() ? List.of() : command(way, ahead, "--fork", "--kill-child");
  }

  private static long aheadSeconds(int place, int run) {
    return (place * 37L + run * 5L) * 10_000;
  }
}
