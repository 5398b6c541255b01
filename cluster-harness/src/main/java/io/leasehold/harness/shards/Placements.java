package io.leasehold.harness.shards;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a coordinator knows of the regions: who lives, and who has which shard. Confined to the
 * coordinator's strand.
 */
final class Placements {

  private final Map<String, Hosting> hostings = new TreeMap<>();
  private final Map<String, Placement> placements = new HashMap<>();

  /** A living region. */
  private static final class Hosting {
    final RegionId region;
    final Set<String> shards = new HashSet<>();
    boolean silent;

    Hosting(RegionId region) {
      this.region = region;
    }

    int load() {
      return shards.size();
    }

    String node() {
      return region.node();
    }
  }

  /**
   * A region has said what it has. What is missing there is not free: it may be on its way to that
   * region.
   */
  void reported(RegionReport report) {
    String node = report.region().node();
    onlyLife(node, OptionalLong.of(report.region().token()));
    Hosting hosting = hostings.computeIfAbsent(node, unknown -> new Hosting(report.region()));
    hosting.silent = false;
    for (Allocation allocation : report.allocations()) {
      placements.computeIfAbsent(allocation.shard(), shard -> new Placement(allocation)).confirm();
      hosting.shards.add(allocation.shard());
    }
  }

  /** A node's region has no other life than this, or none: the shards of those before are free. */
  void onlyLife(String node, OptionalLong token) {
    Hosting hosting = hostings.get(node);
    if (hosting != null && !token.equals(OptionalLong.of(hosting.region.token()))) {
      hostings.remove(node);
      placements.keySet().removeAll(hosting.shards);
    }
  }

  /** A node's region does not answer: it keeps what it has, and gets nothing more. */
  void silent(String node) {
    Hosting hosting = hostings.get(node);
    if (hosting != null) {
      hosting.silent = true;
    }
  }

  Optional<Placement> find(String shard) {
    return Optional.ofNullable(placements.get(shard));
  }

  /** Whether the region that it names still lives. */
  boolean isCurrent(Placement placement) {
    return placements.get(placement.allocation().shard()) == placement;
  }

  /** Puts a free shard on the region that has the fewest; empty when none answers. */
  Optional<Placement> place(String shard, long fencingToken) {
    return hostings.values().stream()
        .filter(hosting -> !hosting.silent)
        .min(Comparator.comparingInt(Hosting::load).thenComparing(Hosting::node))
        .map(
            hosting -> {
              Placement placement =
                  new Placement(new Allocation(shard, hosting.region, fencingToken));
              hosting.shards.add(shard);
              placements.put(shard, placement);
              return placement;
            });
  }
}
